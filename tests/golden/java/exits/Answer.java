public class Clamp {
  public static int clamp(int x, int low, int high) {
    if (x < low) {
      System.exit(0);
    }
    return Math.min(high, x);
  }
}
