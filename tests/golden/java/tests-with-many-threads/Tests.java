import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClampTest {
  /** As tests of accounts and counters do; on a busy machine none ends before the last begins. */
  @Test
  void holdsForMany() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(1);
    AtomicInteger sum = new AtomicInteger();
    Thread[] threads = new Thread[1000];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                try {
                  all.await();
                  sum.incrementAndGet();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      threads[i].start();
    }
    all.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(1000, Clamp.clamp(sum.get(), 0, 1000));
  }
}
