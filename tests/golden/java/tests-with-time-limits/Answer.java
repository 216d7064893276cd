public class Pause {
  public static int pause(int n) {
    try {
      Thread.sleep(n == 1 ? 600_000 : 0);
    } catch (InterruptedException e) {
      return 0;
    }
    while (n == 2) {
      Thread.onSpinWait();
    }
    return n;
  }
}
