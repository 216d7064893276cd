package com.polyassay.compile;

import com.polyassay.wire.CompileMessages.Diagnostic;
import java.util.List;
import java.util.Map;

/**
 * What became of one layer.
 *
 * @param classes binary name to class file; empty where the layer does not compile
 * @param origins binary name to the path of its source
 * @param diagnostics the compiler's errors
 * @param problem why the compiler gave up without a diagnostic, or empty
 */
public record Compiled(
    Map<String, byte[]> classes,
    Map<String, String> origins,
    List<Diagnostic> diagnostics,
    String problem) {

  public boolean good() {
    return diagnostics.isEmpty() && problem.isEmpty();
  }

  /** The outermost classes of one source. */
  public List<String> topLevelOf(String path) {
    return origins.keySet().stream()
        .filter(name -> name.indexOf('$') < 0 && origins.get(name).equals(path))
        .toList();
  }

  public static Compiled broken(String problem) {
    return new Compiled(Map.of(), Map.of(), List.of(), problem);
  }
}
