package com.polyassay.compile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How a task is judged: what its candidates are checked with, and whether they can be judged apart.
 *
 * @param adapterName empty where the signature gives no adapter
 * @param together why the task cannot be judged apart; empty where it can
 * @param classes support, stub and tests, for the judge; empty where it cannot be judged apart
 */
public record Plan(
    String adapterName,
    String adapter,
    String together,
    Map<String, byte[]> classes,
    List<String> testClasses) {

  // Signatures name types without importing them; an import of one class goes before these.
  private static final List<String> COMMON =
      Stream.of(
              "java.io",
              "java.math",
              "java.net",
              "java.nio.charset",
              "java.nio.file",
              "java.text",
              "java.time",
              "java.util",
              "java.util.concurrent",
              "java.util.function",
              "java.util.regex",
              "java.util.stream")
          .map(name -> "import " + name + ".*;")
          .toList();
  private static final Pattern IMPORT =
      Pattern.compile(
          "(?m)^\\s*(import\\s+(?!static\\b|org\\.junit|junit\\.)[\\w.]+(\\.\\*)?\\s*;)");

  /** What is known of a task before any candidate. */
  public record Facts(
      String className,
      String signature,
      String superclass,
      String context,
      Map<String, String> support,
      String testSource) {}

  static Plan of(Facts task, LayerCompiler compiler) {
    Bridge bridge = Bridge.of(task.className(), task.signature(), imports(task));
    if (bridge == null) {
      return new Plan("", "", "its signature is not that of one method", Map.of(), List.of());
    }
    Compiled stub = stub(task, bridge, bridge.thrown(), compiler);
    Layer adapter = tests(bridge.adapter(bridge.thrown()));
    if (!stub.good() || !compiler.compile(adapter, stub.classes()).good()) {
      String reason = "its signature names types that are not known";
      return new Plan("", "", reason, Map.of(), List.of());
    }
    Layer testSource = tests(task.testSource());
    Compiled tests = compiler.compile(testSource, stub.classes());
    String reason =
        tests.good()
            ? reason(task, bridge, compiler, stub.classes())
            : "the tests use more of the class than its method";
    if (!reason.isEmpty()) {
      // The tests are compiled with every candidate, and say themselves what it may throw.
      String lenient = bridge.adapter("Throwable");
      return new Plan(bridge.adapterName(), lenient, reason, Map.of(), List.of());
    }
    // A candidate may throw checked exceptions that the signature lacks, if the tests allow for it.
    Compiled throwing = stub(task, bridge, "Exception", compiler);
    boolean allowed = throwing.good() && compiler.compile(testSource, throwing.classes()).good();
    return new Plan(
        bridge.adapterName(),
        bridge.adapter(allowed ? "Exception" : bridge.thrown()),
        "",
        LayerCompiler.joined(stub.classes(), tests.classes()),
        tests.classes().keySet().stream().filter(name -> name.indexOf('$') < 0).toList());
  }

  /** Support and stub: one after the other, or together where support needs the candidate. */
  private static Compiled stub(Facts task, Bridge bridge, String thrown, LayerCompiler compiler) {
    Map<String, String> sources = new LinkedHashMap<>();
    Compiled support = compiler.compile(new Layer(task.support(), false, true), Map.of());
    if (!support.good()) {
      sources.putAll(task.support());
    }
    sources.put("Stub.java", bridge.stub(task.superclass(), thrown));
    Compiled stub = compiler.compile(new Layer(sources, false, true), support.classes());
    Map<String, byte[]> all = LayerCompiler.joined(support.classes(), stub.classes());
    return new Compiled(all, stub.diagnostics(), stub.problem());
  }

  private static Layer tests(String source) {
    return new Layer(Map.of("Tests.java", source), false, true);
  }

  private static String reason(
      Facts task, Bridge bridge, LayerCompiler compiler, Map<String, byte[]> known) {
    List<String> sources = new ArrayList<>(List.of(task.testSource()));
    task.support()
        .forEach(
            (path, source) -> {
              String name = path.replaceAll(".*/|\\.java$", "");
              boolean base = task.superclass().endsWith("." + name);
              if (!base && task.testSource().matches("(?s).*\\b" + Pattern.quote(name) + "\\b.*")) {
                sources.add(source);
              }
            });
    String reason = Crossing.ofTests(sources);
    if (!reason.isEmpty()) {
      return reason;
    }
    return compiler.inspect(
        task.className(),
        bridge.methodName(),
        known,
        method -> {
          String crossing = Crossing.ofMethod(method);
          return crossing.isEmpty()
                  && Crossing.isOpen(method)
                  && Crossing.declaresOwnClasses(sources)
              ? "the tests pass objects of their own classes"
              : crossing;
        });
  }

  private static List<String> imports(Facts task) {
    TreeSet<String> found = new TreeSet<>();
    String base = task.superclass().replace('.', '/') + ".java";
    for (String source :
        List.of(task.testSource(), task.context(), task.support().getOrDefault(base, ""))) {
      Matcher matcher = IMPORT.matcher(source);
      while (matcher.find()) {
        found.add(matcher.group(1));
      }
    }
    List<String> all = new ArrayList<>(found);
    all.addAll(COMMON);
    return all;
  }
}
