package com.polyassay.apart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExceptionsTests {
  @ParameterizedTest
  @ValueSource(
      classes = {
        ArithmeticException.class,
        AssertionError.class,
        DateTimeParseException.class,
        ExceptionInInitializerError.class,
        IllegalStateException.class,
        NumberFormatException.class,
      })
  void classAndMessageAreKept(Class<? extends Throwable> type) {
    Throwable made = like("why", type.getName());
    assertSame(type, made.getClass());
    assertEquals("why", made.getMessage());
  }

  private static final class Hidden extends Exception {
    private static final long serialVersionUID = 1;

    Hidden(String message) {
      super(message);
    }
  }

  @Test
  void exceptionsOfTheTaskNeedNotBePublic() {
    assertSame(Hidden.class, like("why", Hidden.class.getName()).getClass());
  }

  @Test
  void missingMessagesStayMissing() {
    assertEquals(null, like(null, "java.lang.NullPointerException").getMessage());
  }

  @Test
  void unknownClassesBecomeWhatTheyExtend() {
    Throwable made = like("why", "Own", "java.io.IOException", "java.lang.Exception");
    assertEquals("java.io.IOException: why", made.toString());
    assertEquals("java.lang.RuntimeException: why", like("why", "java.lang.Thread").toString());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        RuntimeException.class,
        UncheckedIOException.class,
        ExecutionException.class,
        NoSuchElementException.class,
      })
  void causesAreKept(Class<? extends Throwable> type) {
    IOException cause = new IOException("why");
    List<String> classes = List.of(type.getName());
    Throwable made = Exceptions.like(classes, "so", cause, ExceptionsTests.class.getClassLoader());
    assertSame(type, made.getClass());
    assertSame(cause, made.getCause());
    assertEquals("so", made.getMessage());
  }

  private static Throwable like(String message, String... classes) {
    return Exceptions.like(List.of(classes), message, null, ExceptionsTests.class.getClassLoader());
  }
}
