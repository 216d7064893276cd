public class Extra {
public static int one() {
    return 1;
}
}
