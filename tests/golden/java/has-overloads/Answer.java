public class Clamp {
  public static int clamp(int x, int low, int high) {
    return (int) clamp((double) x, low, high);
  }

  public static double clamp(double x, double low, double high) {
    return Math.max(low, Math.min(high, x));
  }
}
