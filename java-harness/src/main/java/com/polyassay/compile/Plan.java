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
 * @param supportFirst whether support compiles without the candidate
 * @param together why the task cannot be judged apart; empty where it can
 * @param classes support, stub and tests, for the judge; empty where it cannot be judged apart
 */
public record Plan(
    String adapterName,
    String adapter,
    boolean supportFirst,
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

  /** The support is given as it compiles alone, because candidates need it as well. */
  static Plan of(Facts task, Compiled support, LayerCompiler compiler) {
    boolean supportFirst = support.good();
    Bridge bridge = Bridge.of(task.className(), task.signature(), imports(task));
    if (bridge == null) {
      return together("", "", supportFirst, "its signature is not that of one method");
    }
    Map<String, byte[]> below = support.classes();
    Map<String, String> mixed = supportFirst ? Map.of() : task.support();
    String strict = bridge.adapter(bridge.thrown());
    String stub = bridge.stub(task.superclass(), bridge.thrown());
    Compiled all = compiler.compile(layer(mixed, stub, strict, task.testSource()), below);
    if (!all.good()) {
      boolean known = compiler.compile(layer(mixed, stub, strict), below).good();
      return known
          ? together(bridge, supportFirst, "the tests use more of the class than its method")
          : together("", "", supportFirst, "its signature names types that are not known");
    }
    String reason = reason(task, bridge, compiler, LayerCompiler.joined(below, all.classes()));
    if (!reason.isEmpty()) {
      return together(bridge, supportFirst, reason);
    }
    // A candidate may throw checked exceptions that the signature lacks, if the tests allow for it.
    String throwing = bridge.stub(task.superclass(), "Exception");
    boolean allowed = compiler.compile(layer(mixed, throwing, task.testSource()), below).good();
    Map<String, byte[]> classes = LayerCompiler.joined(below, all.classes());
    classes.remove(bridge.adapterName());
    return new Plan(
        bridge.adapterName(),
        allowed ? bridge.adapter("Exception") : strict,
        supportFirst,
        "",
        classes,
        all.topLevelOf("2.java"));
  }

  /** The tests are compiled with every candidate then, and say themselves what it may throw. */
  private static Plan together(Bridge bridge, boolean supportFirst, String reason) {
    return together(bridge.adapterName(), bridge.adapter("Throwable"), supportFirst, reason);
  }

  private static Plan together(
      String adapterName, String adapter, boolean supportFirst, String reason) {
    return new Plan(adapterName, adapter, supportFirst, reason, Map.of(), List.of());
  }

  /** Sources, and further ones by their place in the list. */
  private static Layer layer(Map<String, String> first, String... more) {
    Map<String, String> sources = new LinkedHashMap<>(first);
    for (int i = 0; i < more.length; i++) {
      sources.put(i + ".java", more[i]);
    }
    return new Layer(sources, false, true);
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
    String name = bridge.methodName();
    reason =
        compiler.inspect(
            task.className(),
            name,
            known,
            method -> {
              String crossing = Crossing.ofMethod(method);
              return crossing.isEmpty()
                      && Crossing.isOpen(method)
                      && Crossing.declaresOwnClasses(sources)
                  ? "the tests pass objects of their own classes"
                  : crossing;
            });
    return reason.isEmpty()
        ? compiler.analyze(
            sources, known, (javac, tests) -> TestScan.reason(javac, tests, task.className(), name))
        : reason;
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
