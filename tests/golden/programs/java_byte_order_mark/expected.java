public class Marked {
public static int one() {
    return 1;
}
}
