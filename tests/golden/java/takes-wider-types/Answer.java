public class Clamp {
  private Clamp() {}

  public static int clamp(long x, long low, long high) {
    return (int) Math.max(low, Math.min(high, x));
  }
}
