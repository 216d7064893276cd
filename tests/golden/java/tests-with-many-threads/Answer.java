public class Clamp {
  public static int clamp(int x, int low, int high) {
    return Math.max(low, Math.min(high, x));
  }
}
