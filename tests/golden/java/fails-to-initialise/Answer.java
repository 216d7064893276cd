public class Clamp {
  private static final int LIMIT = Integer.parseInt("none");

  public static int clamp(int x, int low, int high) {
    return LIMIT;
  }
}
