package com.polyassay.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

  private static boolean isNone(Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
      return Footprint.isNone(List.of(in.readAllBytes()), Set.of(type.getName()));
    }
  }

  @Test
  void computingLeavesNothing() throws IOException {
    assertTrue(isNone(Computes.class));
  }

  @Test
  void threadsReferencesAndReflectionMay() throws IOException {
    assertFalse(isNone(StartsThread.class));
    assertFalse(isNone(IsThread.class));
    assertFalse(isNone(Finalizes.class));
    assertFalse(isNone(Reflects.class));
    assertFalse(isNone(Remembers.class));
  }

  @Test
  void whatIsNoClassFileMay() {
    assertFalse(Footprint.isNone(List.of(new byte[] {1, 2, 3}), Set.of()));
  }
}
