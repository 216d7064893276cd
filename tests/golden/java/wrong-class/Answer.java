public class Limit {
  public static int clamp(int x, int low, int high) {
    return x;
  }
}
