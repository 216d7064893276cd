package com.polyassay.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FootprintTests {
  static class Computes {
    static List<String> sorted(List<String> words) {
      List<String> found = new ArrayList<>(words);
      found.removeIf(word -> word.isBlank() || word.length() > 1L << 4);
      found.sort(String::compareTo);
      return List.of(String.join("-", found) + found.size() * 2.5);
    }
  }

  static class StartsThread {
    static void run() {
      new Thread(() -> {}).start();
    }
  }

  static class IsThread extends Thread {}

  static class Finalizes {
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {}
  }

  static class Reflects {
    static Object run() throws ReflectiveOperationException {
      return Class.forName("java.lang.Thread").getConstructor().newInstance();
    }
  }

  static class Remembers {
    static final ThreadLocal<Object> HERE = ThreadLocal.withInitial(Remembers::new);
  }

  static class Prints {
    static void run(String text) {
      assert text != null;
      System.out.printf("%s %d%n", text, System.nanoTime());
      new java.util.Scanner(text).nextLine();
    }
  }

  static class SetsLocale {
    static void run() {
      java.util.Locale.setDefault(java.util.Locale.Category.FORMAT, java.util.Locale.GERMANY);
    }
  }

  static class RenamesThread {
    static void run() {
      Thread.currentThread().setName("odd");
    }
  }

  static class SetsSecurity {
    static void run() {
      java.security.Security.setProperty("keystore.type", "odd");
    }
  }

  static class ClearsProvider {
    static void run(java.security.Provider provider) {
      provider.clear();
    }
  }

  static class Logs {
    static void run() {
      java.util.logging.LogManager.getLogManager().reset();
    }
  }

  static class WritesFile {
    static void run() throws IOException {
      new java.io.File("/tmp/left").createNewFile();
    }
  }

  static class StartsProcess {
    static void run() throws IOException {
      new ProcessBuilder("sleep", "60").start();
    }
  }

  static class Handles {
    static Object run() throws Throwable {
      return java.lang.invoke.MethodHandles.lookup();
    }
  }

  static class Permits {
    static void run() {
      java.util.concurrent.locks.LockSupport.unpark(Thread.currentThread());
    }
  }

  static class OwnTimeZone extends java.util.SimpleTimeZone {
    private static final long serialVersionUID = 1;

    OwnTimeZone() {
      super(0, "odd");
    }
  }

  static class OpensFile {
    static void run() throws IOException {
      new java.io.PrintWriter("/tmp/left").close();
    }
  }

  static class OpensFileInCharset extends java.io.PrintStream {
    OpensFileInCharset() throws IOException {
      super("/tmp/left", java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  static class FormatsToFile {
    static void run() throws IOException {
      new java.util.Formatter("/tmp/left", "UTF-8").close();
    }
  }

  static class InheritsSettings extends Thread {
    static void change() {
      setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
    }
  }

  static class KeepsPoolsThreads {
    static void run() {
      if (Thread.currentThread() instanceof java.util.concurrent.ForkJoinWorkerThread worker) {
        worker.setPriority(1);
      }
    }
  }

  static class CallsItself extends Computes {
    static List<String> twice(List<String> words) {
      return sorted(sorted(words));
    }
  }

  private static Footprint of(Class<?> type) throws IOException {
    return Footprint.of(Map.of(type.getName(), bytesOf(type)));
  }

  private static byte[] bytesOf(Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }

  @Test
  void computingLeavesNothing() throws IOException {
    assertEquals(Footprint.NONE, of(Computes.class));
  }

  @Test
  void whatAnOwnClassInheritsIsItsOwn() throws IOException {
    Map<String, byte[]> both = new HashMap<>();
    for (Class<?> each : List.of(Computes.class, CallsItself.class)) {
      both.put(each.getName(), bytesOf(each));
    }
    assertEquals(Footprint.NONE, Footprint.of(both));
    assertEquals(Footprint.UNKNOWN, of(CallsItself.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        StartsThread.class,
        IsThread.class,
        Finalizes.class,
        Remembers.class,
        Prints.class
      })
  void threadsAndReferencesShow(Class<?> type) throws IOException {
    assertEquals(Footprint.SHOWS, of(type));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Reflects.class,
        SetsLocale.class,
        RenamesThread.class,
        SetsSecurity.class,
        ClearsProvider.class,
        Logs.class,
        WritesFile.class,
        StartsProcess.class,
        Handles.class,
        Permits.class,
        OwnTimeZone.class,
        OpensFile.class,
        OpensFileInCharset.class,
        FormatsToFile.class,
        InheritsSettings.class,
        KeepsPoolsThreads.class
      })
  void settingsOfTheProcessNeedNotShow(Class<?> type) throws IOException {
    assertEquals(Footprint.UNKNOWN, of(type));
  }

  @Test
  void whatIsNoClassFileMayDoAnything() {
    assertEquals(Footprint.UNKNOWN, Footprint.of(Map.of("No", new byte[] {1, 2, 3})));
  }
}
