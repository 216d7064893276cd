public class Clamp {
  public static int clamp(int x, int low, int high) {
    if (x < low) {
      throw new Sly();
    }
    return Math.min(high, x);
  }

  static class Sly extends IllegalStateException {
    @Override
    public String getMessage() {
      throw this;
    }

    @Override
    public synchronized Throwable getCause() {
      throw this;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw this;
    }
  }
}
