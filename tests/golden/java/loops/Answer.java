public class Clamp {
  public static int clamp(int x, int low, int high) {
    while (x < low) {
      Thread.onSpinWait();
    }
    return Math.min(high, x);
  }
}
