import java.util.concurrent.Callable;

public class Retry {
  public static <T> T retry(Callable<T> action, int attempts) throws Exception {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return action.call();
      } catch (Exception e) {
        if (attempt == attempts) {
          throw e;
        }
      }
    }
  }
}
