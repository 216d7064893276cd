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
   */
  record Result(
      String status, String type, String message, String source, int line, double seconds) {}
}
