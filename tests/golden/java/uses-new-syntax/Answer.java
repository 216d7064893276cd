public class Clamp {
  record Range(int low, int high) {}

  public static int clamp(int x, int low, int high) {
    Object range = new Range(low, high);
    int least = range instanceof Range found ? Math.max(found.low(), x) : x;
    return switch (Integer.compare(least, high)) {
      case 1 -> high;
      default -> least;
    };
  }
}
