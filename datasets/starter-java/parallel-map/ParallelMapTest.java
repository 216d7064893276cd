import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelMapTest {
  @Test
  void keepsOrder() throws Exception {
    List<Integer> numbers = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      numbers.add(i);
      expected.add("n" + i);
    }
    assertEquals(expected, ParallelMap.parallelMap(numbers, i -> "n" + i, 4));
  }

  @Test
  void worksWithOneThread() throws Exception {
    assertEquals(List.of(1, 4, 9), ParallelMap.parallelMap(List.of(1, 2, 3), i -> i * i, 1));
  }

  @Test
  void emptyListGivesEmptyList() throws Exception {
    assertEquals(List.of(), ParallelMap.parallelMap(List.<String>of(), String::length, 3));
  }

  @Test
  void runsAtTheSameTime() throws Exception {
    // Each call waits for the two others: without three threads nobody gets past the barrier.
    CyclicBarrier barrier = new CyclicBarrier(3);
    List<String> met =
        ParallelMap.parallelMap(
            List.of("a", "b", "c"),
            name -> {
              try {
                barrier.await(5, TimeUnit.SECONDS);
                return name + "!";
              } catch (Exception e) {
                return name + " was alone";
              }
            },
            3);
    assertEquals(List.of("a!", "b!", "c!"), met);
  }

  @Test
  void neverExceedsThreads() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Integer> items = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      items.add(i);
    }
    List<Integer> results =
        ParallelMap.parallelMap(
            items,
            i -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              try {
                Thread.sleep(2);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              running.decrementAndGet();
              return i;
            },
            2);
    assertEquals(items, results);
    assertTrue(most.get() <= 2, "calls at the same time: " + most.get());
  }

  @Test
  void deliversException() {
    IllegalStateException broken = new IllegalStateException("broken");
    Exception thrown =
        assertThrows(
            Exception.class,
            () ->
                ParallelMap.parallelMap(
                    List.of(1, 2, 3),
                    i -> {
                      if (i == 2) {
                        throw broken;
                      }
                      return i;
                    },
                    2));
    assertSame(broken, thrown);
  }
}
