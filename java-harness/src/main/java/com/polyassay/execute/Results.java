package com.polyassay.execute;

/** Hears what becomes of the tests, each by its method's name. */
interface Results {
  void started(String name);

  void finished(String name, Result result);

  /**
   * How one test ended.
   *
   * @param status passed, failed, error, skipped or out_of_memory
   * @param source the file of the topmost frame that the candidate or the tests own, or empty
   * @param owner the class of that frame
   */
  record Result(
      String status,
      String type,
      String message,
      String source,
      String owner,
      int line,
      double seconds) {

    Result(String status, String message) {
      this(status, "", message, "", "", 0, 0);
    }

    Result lasting(double seconds) {
      return new Result(status, type, message, source, owner, line, seconds);
    }
  }
}
