public class Clamp {
  public static int clamp(int x, int low, int high) {
    if (x < low) {
      throw new IllegalStateException("too low");
    }
    return Math.min(high, x);
  }
}
