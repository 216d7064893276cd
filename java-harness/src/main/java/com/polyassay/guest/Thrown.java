package com.polyassay.guest;

import java.util.function.Predicate;
import java.util.function.Supplier;

/** Asks throwables that may be a candidate's own, and whose methods may throw in turn. */
public final class Thrown {
  private static final int MESSAGE_LIMIT = 2000;

  private Thrown() {}

  /** What the method gives, or the other value where it throws. */
  public static <T> T attempt(Supplier<T> ask, T otherwise) {
    try {
      return ask.get();
    } catch (Throwable worse) {
      return otherwise;
    }
  }

  /** The message, up to a limit; null where there is none. */
  public static String message(Throwable thrown) {
    String message = attempt(thrown::getMessage, "its message cannot be read");
    return message == null || message.length() <= MESSAGE_LIMIT
        ? message
        : message.substring(0, MESSAGE_LIMIT) + "…";
  }

  /** The topmost frame in a class of that kind; null where there is none. */
  public static StackTraceElement ownFrame(Throwable thrown, Predicate<String> owned) {
    StackTraceElement[] trace = attempt(thrown::getStackTrace, null);
    for (StackTraceElement each : trace == null ? new StackTraceElement[0] : trace) {
      if (owned.test(each.getClassName())) {
        return each;
      }
    }
    return null;
  }
}
