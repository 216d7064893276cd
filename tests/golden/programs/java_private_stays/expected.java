public class Hidden {
private static int one() { return 1; }
}
