public class Counter {
  private Counter(int start) {}

  public int next(int n) {
    return n + 1;
  }
}
