public class Cut {
    public static int one() {
        return 1;
    }
}
