public class Clamp {
  public static int clamp(int x, int low, int high) {
    return x < low ? clamp(x - 1 + 1, low, high) + 1 : Math.min(high, x);
  }
}
