public class Reverser {
public static String reverse(String s) {
    return new StringBuilder(s).reverse().toString();
}
}
