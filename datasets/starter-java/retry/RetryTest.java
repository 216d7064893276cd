import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class RetryTest {
  /** Fails a number of times, then returns which call it was. */
  private static class Flaky implements Callable<String> {
    private final int failures;
    private int calls;

    Flaky(int failures) {
      this.failures = failures;
    }

    @Override
    public String call() throws IOException {
      calls++;
      if (calls <= failures) {
        throw new IOException("failure " + calls);
      }
      return "call " + calls;
    }
  }

  @Test
  void firstSuccessIsEnough() throws Exception {
    Flaky action = new Flaky(0);
    assertEquals("call 1", Retry.retry(action, 5));
    assertEquals(1, action.calls);
  }

  @Test
  void triesAgainAfterFailure() throws Exception {
    Flaky action = new Flaky(2);
    assertEquals("call 3", Retry.retry(action, 5));
    assertEquals(3, action.calls);
  }

  @Test
  void lastAttemptMaySucceed() throws Exception {
    assertEquals("call 3", Retry.retry(new Flaky(2), 3));
  }

  @Test
  void throwsLastException() {
    Flaky action = new Flaky(9);
    IOException thrown = assertThrows(IOException.class, () -> Retry.retry(action, 4));
    assertEquals("failure 4", thrown.getMessage());
    assertEquals(4, action.calls);
  }

  @Test
  void singleAttemptIsNotRepeated() {
    Flaky action = new Flaky(1);
    IOException thrown = assertThrows(IOException.class, () -> Retry.retry(action, 1));
    assertEquals("failure 1", thrown.getMessage());
    assertEquals(1, action.calls);
  }

  @Test
  void nullIsAResult() throws Exception {
    int[] calls = {0};
    assertNull(
        Retry.retry(
            () -> {
              calls[0]++;
              return null;
            },
            3));
    assertEquals(1, calls[0]);
  }

  @Test
  void rejectsLessThanOneAttempt() {
    Flaky action = new Flaky(0);
    assertThrows(IllegalArgumentException.class, () -> Retry.retry(action, 0));
    assertThrows(IllegalArgumentException.class, () -> Retry.retry(action, -1));
    assertEquals(0, action.calls);
  }
}
