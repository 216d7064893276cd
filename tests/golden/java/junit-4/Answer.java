public class Twice {
  public static int twice(int n) {
    return Math.multiplyExact(2, n);
  }
}
