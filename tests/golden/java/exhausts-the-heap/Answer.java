public class Clamp {
  public static int clamp(int x, int low, int high) {
    var all = new java.util.ArrayList<long[]>();
    while (x < low) {
      all.add(new long[100_000]);
    }
    return Math.min(high, x);
  }
}
