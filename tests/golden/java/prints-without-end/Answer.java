public class Clamp {
  public static int clamp(int x, int low, int high) {
    for (int i = 0; i < 100_000; i++) {
      System.out.println("more and more and more");
    }
    return Math.max(low, Math.min(high, x));
  }
}
