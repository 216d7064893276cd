public class Clamp {
  public static int clamp(int x, int low, int high) {
    System.out.println("clamp " + x);
    System.err.println("done");
    return Math.max(low, Math.min(high, x));
  }
}
