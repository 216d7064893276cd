package com.polyassay.guest;

import java.io.InputStream;
import java.io.PrintStream;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/** What candidates in one process share; a difference means that the next one needs a new one. */
public record GlobalState(
    List<Locale> locales,
    TimeZone timeZone,
    Properties properties,
    PrintStream out,
    PrintStream err,
    InputStream in,
    Thread.UncaughtExceptionHandler handler,
    List<Provider> providers,
    Object guard,
    Set<Thread> threads) {

  public static GlobalState now() {
    return new GlobalState(
        List.of(
            Locale.getDefault(),
            Locale.getDefault(Locale.Category.FORMAT),
            Locale.getDefault(Locale.Category.DISPLAY)),
        TimeZone.getDefault(),
        (Properties) System.getProperties().clone(),
        System.out,
        System.err,
        System.in,
        Thread.getDefaultUncaughtExceptionHandler(),
        List.of(Security.getProviders()),
        securityManager(),
        liveThreads());
  }

  @SuppressWarnings("removal") // as long as there is one, a candidate can put its own in its place
  private static Object securityManager() {
    return System.getSecurityManager();
  }

  /** What differs now, in words. */
  public List<String> changes() {
    GlobalState after = now();
    List<String> changes = new ArrayList<>();
    note(changes, "default locale", locales.equals(after.locales));
    note(changes, "default time zone", timeZone.equals(after.timeZone));
    note(changes, "system properties", properties.equals(after.properties));
    note(changes, "standard streams", out == after.out && err == after.err && in == after.in);
    note(changes, "uncaught exception handler", handler == after.handler);
    note(changes, "security providers", providers.equals(after.providers));
    note(changes, "security manager", guard == after.guard);
    note(changes, "interrupted thread", !Thread.interrupted());
    note(changes, "threads left behind", threads.containsAll(after.threads));
    return changes;
  }

  private static void note(List<String> changes, String what, boolean same) {
    if (!same) {
      changes.add(what);
    }
  }

  private static Set<Thread> liveThreads() {
    Set<Thread> threads = new HashSet<>();
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (!idlesForTheJdk(each)) {
        threads.add(each);
      }
    }
    return threads;
  }

  /** Threads that the JDK keeps for later, and that hold nothing of a candidate's while idle. */
  private static boolean idlesForTheJdk(Thread thread) {
    if (thread instanceof ForkJoinWorkerThread worker) {
      ForkJoinPool common = ForkJoinPool.commonPool();
      return worker.getPool() == common && common.isQuiescent();
    }
    return thread.getThreadGroup() == null
        || thread.getClass().getName().equals("jdk.internal.misc.InnocuousThread");
  }
}
