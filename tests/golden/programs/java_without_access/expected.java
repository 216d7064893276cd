public class Open {
public static int one() { return 1; }
}
