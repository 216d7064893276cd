package com.polyassay.execute;

import com.polyassay.execute.Results.Result;
import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Thrown;
import org.junit.platform.engine.TestExecutionResult;

/** Says of a throwable what it means for a test; the throwable may be a candidate's own. */
final class Failures {
  private static final Result PASSED = new Result("passed", "");

  private final CandidateLoader loader;

  Failures(CandidateLoader loader) {
    this.loader = loader;
  }

  Result result(TestExecutionResult ended) {
    return switch (ended.getStatus()) {
      case SUCCESSFUL -> PASSED;
      case ABORTED -> skipped(ended.getThrowable().orElse(null));
      case FAILED -> ended.getThrowable().map(this::result).orElseGet(() -> result("failed", null));
    };
  }

  Result result(Throwable thrown) {
    if (isOutOfMemory(thrown)) {
      return result("out_of_memory", thrown);
    }
    return result(thrown instanceof AssertionError ? "failed" : "error", thrown);
  }

  Result skipped(Throwable thrown) {
    return result("skipped", thrown);
  }

  private Result result(String status, Throwable thrown) {
    if (thrown == null) {
      return new Result(status, "");
    }
    StackTraceElement own = Thrown.ownFrame(thrown, loader::owns);
    String message = Thrown.message(thrown);
    return new Result(
        status,
        thrown.getClass().getName(),
        message == null ? "" : message,
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
      each = Thrown.attempt(each::getCause, null);
    }
    return false;
  }
}
