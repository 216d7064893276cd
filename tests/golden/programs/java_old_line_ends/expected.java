// One.
public class Old {
  public static int one() { return 1; } // always
}
