package com.polyassay.service;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs work in a thread of its own, and gives up on it when it has used too much CPU time.
 *
 * <p>A thread cannot be stopped: after that, the whole process is to be replaced.
 */
final class Watched {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long STACK_BYTES = 8 << 20;
  private static final long LOOK_MILLIS = 200;
  // Collecting garbage is done for all who run; only who worked that much himself pays for it.
  private static final double SHARE = 0.1;

  private Watched() {}

  /** Seconds by the clock that went into collecting garbage so far, while nothing else ran. */
  private static double collecting() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum()
        / 1e3;
  }

  /** Seconds of CPU time that this process has used so far; endless where that is not known. */
  private static double processSeconds() {
    Optional<Duration> used = ProcessHandle.current().info().totalCpuDuration();
    return used.map(time -> time.toNanos() / 1e9).orElse(Double.POSITIVE_INFINITY);
  }

  /** Seconds of CPU time that the work in this thread has used so far. */
  static double cpuSeconds() {
    return THREADS.getCurrentThreadCpuTime() / 1e9;
  }

  static <T> T run(Callable<T> work, double cpuSeconds, T otherwise) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "compile", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    double collectedBefore = collecting();
    double usedBefore = processSeconds();
    while (true) {
      try {
        return task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException stillRunning) {
        double own = THREADS.getThreadCpuTime(thread.getId()) / 1e9;
        double collected = own > cpuSeconds * SHARE ? collecting() - collectedBefore : 0;
        // A collection takes longer on a busy machine, but no more CPU time than the process had.
        if (own + collected > cpuSeconds && processSeconds() >= usedBefore + cpuSeconds) {
          return otherwise;
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        return otherwise;
      }
    }
  }
}
