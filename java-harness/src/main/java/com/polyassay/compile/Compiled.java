package com.polyassay.compile;

import java.util.List;
import java.util.Map;

/**
 * What became of one layer.
 *
 * @param classes binary name to class file; empty where the layer does not compile
 * @param diagnostics the compiler's errors
 * @param problem why the compiler gave up without a diagnostic, or empty
 */
record Compiled(Map<String, byte[]> classes, List<Finding> diagnostics, String problem) {

  boolean good() {
    return diagnostics.isEmpty() && problem.isEmpty();
  }

  static Compiled broken(String problem) {
    return new Compiled(Map.of(), List.of(), problem);
  }

  /** One error, by the compiler's own words. */
  record Finding(String source, long line, long column, String code, String message) {}
}
