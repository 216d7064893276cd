package com.polyassay.plan;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.JudgingPlan;
import com.polyassay.wire.CompileMessages.PlanTask;
import com.sun.source.tree.CompilationUnitTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/** Finds out how a task is judged, from its own sources and never from a candidate. */
public final class PlanMaker {
  private static final String STUB = "Stub.java"; // any name: a public class's need not match
  static final String TESTS = "Tests.java";
  private static final byte[] NOTHING = {};
  // Signatures name types without importing them; an import of one class goes before these.
  static final List<String> COMMON =
      List.of(
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
          "java.util.stream");
  private static final Pattern IMPORT =
      Pattern.compile(
          "(?m)^\\s*(import\\s+(?!static\\b|org\\.junit|junit\\.)[\\w.]+(\\.\\*)?\\s*;)");

  private PlanMaker() {}

  /** The support is given as it compiles alone, because candidates need it as well. */
  public static JudgingPlan of(PlanTask task, Compiled support, LayerCompiler compiler) {
    JudgingPlan plan = withoutDefects(task, support, compiler);
    return plan.classes().isEmpty() ? plan.with(Defects.of(task, support, compiler)) : plan;
  }

  /** Without looking for defects, which takes as long again. */
  static JudgingPlan withoutDefects(PlanTask task, Compiled support, LayerCompiler compiler) {
    boolean supportFirst = support.good();
    Bridge bridge = Bridge.of(task.className(), task.signature(), imports(task));
    if (bridge == null) {
      String reason = "its signature is not that of one method";
      return together(task, null, support, reason);
    }
    Map<String, byte[]> below = support.classes();
    Map<String, String> mixed = supportFirst ? Map.of() : task.support();
    // A candidate may throw checked exceptions that the signature lacks, if the tests allow for it.
    // Nothing calls a program but the JVM, which takes whatever it throws.
    String thrown = task.testSource().isBlank() ? "Throwable" : "Exception";
    Compiled all = compiler.compile(layer(mixed, task, bridge, thrown, true), below);
    if (!all.good()) {
      thrown = bridge.thrown();
      all = compiler.compile(layer(mixed, task, bridge, thrown, true), below);
    }
    if (!all.good()) {
      boolean typesKnown =
          compiler.compile(layer(mixed, task, bridge, thrown, false), below).good();
      return typesKnown
          ? together(task, bridge, support, "the tests use more of the class than its method")
          : together(task, null, support, "its signature names types that are not known");
    }
    Map<String, byte[]> known = LayerCompiler.joined(below, all.classes());
    Findings found = findings(task, bridge, thrown, compiler, known);
    known.remove(bridge.adapterName());
    Map<String, byte[]> classes = new LinkedHashMap<>(all.classes());
    byte[] adapterClass = classes.remove(bridge.adapterName());
    Bridge exact = Bridge.of(task.className(), task.signature(), found.imports());
    return new JudgingPlan(
        bridge.adapterName(),
        exact.adapter(task.superclass(), thrown),
        supportFirst,
        found.together(),
        "",
        below,
        classes,
        all.topLevelOf(TESTS),
        linksFromAfar(task.className(), known) ? NOTHING : adapterClass,
        task.jars());
  }

  /** Classes of another package see less of a candidate than the adapter does. */
  private static boolean linksFromAfar(String className, Map<String, byte[]> classes) {
    String place = className.substring(0, className.lastIndexOf('.') + 1);
    String name = className.replace('.', '/');
    return classes.entrySet().stream()
        .filter(
            each ->
                each.getKey().lastIndexOf('.') + 1 != place.length()
                    || !each.getKey().startsWith(place))
        .anyMatch(each -> new String(each.getValue(), StandardCharsets.ISO_8859_1).contains(name));
  }

  /** The tests are compiled with every candidate then, and say themselves what it may throw. */
  private static JudgingPlan together(
      PlanTask task, Bridge bridge, Compiled support, String reason) {
    return new JudgingPlan(
        bridge == null ? "" : bridge.adapterName(),
        // Tests may make objects in any way, too: no constructor is asked for.
        bridge == null ? "" : bridge.adapter("any", "Throwable"),
        support.good(),
        reason,
        "",
        support.classes(),
        Map.of(),
        List.of(),
        NOTHING,
        task.jars());
  }

  private static Layer layer(
      Map<String, String> support, PlanTask task, Bridge bridge, String thrown, boolean tests) {
    Map<String, String> sources = new LinkedHashMap<>(support);
    sources.put(STUB, bridge.stub(task.superclass(), thrown));
    sources.put(bridge.adapterPath(), bridge.adapter(task.superclass(), thrown));
    if (tests) {
      sources.put(TESTS, task.testSource());
    }
    return new Layer(sources, true, task.jars());
  }

  /** What the compiler knows of a task: why it cannot be judged apart, and what is imported. */
  private record Findings(String together, List<String> imports) {}

  private static Findings findings(
      PlanTask task,
      Bridge bridge,
      String thrown,
      LayerCompiler compiler,
      Map<String, byte[]> known) {
    List<String> tests = testSources(task);
    List<String> sources = new ArrayList<>(tests);
    sources.add(bridge.adapter(task.superclass(), thrown));
    return compiler.analyze(
        sources,
        known,
        task.jars(),
        (javac, units) -> {
          String reason = Crossing.ofTests(tests);
          TypeElement type = javac.getElements().getTypeElement(task.className());
          for (ExecutableElement each : ElementFilter.methodsIn(type.getEnclosedElements())) {
            if (reason.isEmpty() && each.getSimpleName().contentEquals(bridge.methodName())) {
              reason = Crossing.ofMethod(each, tests);
            }
          }
          for (ExecutableElement each : ElementFilter.constructorsIn(type.getEnclosedElements())) {
            reason = reason.isEmpty() ? Crossing.ofMethod(each, tests) : reason;
          }
          if (reason.isEmpty()) {
            List<CompilationUnitTree> scanned = units.subList(0, tests.size());
            reason = TestScan.reason(javac, scanned, task.className(), bridge.methodName());
          }
          return new Findings(reason, Imports.of(javac, units.get(tests.size())));
        });
  }

  /** The tests, and the support that they name; a candidate's base class is not theirs. */
  private static List<String> testSources(PlanTask task) {
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
    return sources;
  }

  private static List<String> imports(PlanTask task) {
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
    COMMON.forEach(name -> all.add("import " + name + ".*;"));
    return all;
  }
}
