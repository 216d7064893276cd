package com.polyassay.execute;

import com.polyassay.execute.Results.Result;
import java.util.function.Supplier;
import org.junit.platform.engine.TestExecutionResult;

/** Says of a throwable what it means for a test; the throwable may be a candidate's own. */
final class Failures {
  private static final int MESSAGE_LIMIT = 2000;
  private static final Result PASSED = new Result("passed", "");

  private final CandidateLoader loader;

  Failures(CandidateLoader loader) {
    this.loader = loader;
  }

  Result result(TestExecutionResult ended) {
    return switch (ended.getStatus()) {
      case SUCCESSFUL -> PASSED;
      case ABORTED -> result("skipped", ended.getThrowable().orElse(null));
      case FAILED -> ended.getThrowable().map(this::result).orElseGet(() -> result("failed", null));
    };
  }

  Result result(Throwable thrown) {
    if (isOutOfMemory(thrown)) {
      return result("out_of_memory", thrown);
    }
    return result(thrown instanceof AssertionError ? "failed" : "error", thrown);
  }

  private Result result(String status, Throwable thrown) {
    if (thrown == null) {
      return new Result(status, "");
    }
    StackTraceElement own = ownFrame(thrown);
    return new Result(
        status,
        thrown.getClass().getName(),
        message(thrown),
        own == null || own.getFileName() == null ? "" : own.getFileName(),
        own == null ? "" : own.getClassName(),
        own == null ? 0 : own.getLineNumber(),
        0);
  }

  private static boolean isOutOfMemory(Throwable thrown) {
    Throwable each = thrown;
    for (int depth = 0; each != null && depth < 20; depth++) {
      if (each instanceof OutOfMemoryError) {
        return true;
      }
      each = attempt(each::getCause, null);
    }
    return false;
  }

  /** What a method of a candidate's exception gives, unless it throws one itself. */
  private static <T> T attempt(Supplier<T> ask, T otherwise) {
    try {
      return ask.get();
    } catch (Throwable worse) {
      return otherwise;
    }
  }

  private static String message(Throwable thrown) {
    String message = attempt(thrown::getMessage, "its message cannot be read");
    if (message == null) {
      return "";
    }
    return message.length() <= MESSAGE_LIMIT ? message : message.substring(0, MESSAGE_LIMIT) + "…";
  }

  private StackTraceElement ownFrame(Throwable thrown) {
    StackTraceElement[] trace = attempt(thrown::getStackTrace, null);
    for (StackTraceElement each : trace == null ? new StackTraceElement[0] : trace) {
      if (loader.owns(each.getClassName())) {
        return each;
      }
    }
    return null;
  }
}
