package com.polyassay.plan;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.Diagnostic;
import com.polyassay.wire.CompileMessages.PlanTask;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds tests that compile with no candidate, which is the suite's fault and no tool's.
 *
 * <p>Only tests that do not compile against the stub come here. They may need more of a candidate
 * than the stub has; the reference tells. Without one, only what no candidate could mend is held
 * against them: sources that do not parse, packages that do not exist, names that they forgot to
 * import, and what is declared twice.
 */
final class Defects {
  // What begins with a capital may be a class of the candidate's, which the compiler takes for one.
  private static final Pattern MISSING_PACKAGE =
      Pattern.compile("package ([a-z]\\w*(?:\\.[a-z]\\w*)*) does not exist");

  // What the parser says, which knows nothing of any class, and what is said of one file alone.
  private static final List<String> OF_ITSELF =
      List.of(
          "already.defined",
          "class.public.should.be.in.file",
          "duplicate.class",
          "else.without.if",
          "expected",
          "feature.not.supported",
          "illegal.char",
          "illegal.esc.char",
          "illegal.start.of",
          "illegal.text.block",
          "illegal.unicode",
          "invalid.meth.decl.ret.type.req",
          "limit.string",
          "malformed.fp.lit",
          "not.stmt",
          "orphaned",
          "premature.eof",
          "preview.feature",
          "unclosed",
          "underscore.as.identifier");

  private final PlanTask task;
  private final Compiled support;
  private final LayerCompiler compiler;
  private final Map<String, String> tests = new LinkedHashMap<>();

  private Defects(PlanTask task, Compiled support, LayerCompiler compiler) {
    this.task = task;
    this.support = support;
    this.compiler = compiler;
    tests.put(PlanMaker.TESTS, task.testSource());
    if (!support.good()) {
      tests.putAll(task.support());
    }
  }

  /** Why the tests compile with no candidate; empty where they may. */
  static String of(PlanTask task, Compiled support, LayerCompiler compiler) {
    String found = new Defects(task, support, compiler).find();
    return found.isEmpty() ? "" : "the tests do not compile: " + found;
  }

  private String find() {
    Map<String, byte[]> reference = reference();
    if (!reference.isEmpty()) {
      // As a candidate's, its other classes are shown only where the tests need them.
      Map<String, byte[]> main = new LinkedHashMap<>(reference);
      main.keySet().removeIf(name -> !name.replaceFirst("\\$.*", "").equals(task.className()));
      if (compile(main).good()) {
        return "";
      }
    }
    Compiled compiled = compile(reference);
    for (Diagnostic each : compiled.diagnostics()) {
      if (!reference.isEmpty() || isHopeless(each)) {
        return "%s:%d: %s"
            .formatted(each.source(), each.line(), each.message().replaceAll("\\s+", " "));
      }
    }
    return compiled.good() || !compiled.problem().isEmpty()
        ? compiled.problem()
        : ForgottenNames.of(task, tests, support.classes(), compiler);
  }

  private Compiled compile(Map<String, byte[]> candidate) {
    Map<String, byte[]> below = LayerCompiler.joined(support.classes(), candidate);
    return compiler.compile(new Layer(tests, true, task.jars()), below);
  }

  /** None where there is no reference, or where it does not compile itself. */
  private Map<String, byte[]> reference() {
    Map<String, String> sources = new LinkedHashMap<>(task.reference());
    Compiled alone =
        compiler.compile(new Layer(task.reference(), false, task.jars()), support.classes());
    if (alone.good() || support.good() || sources.isEmpty()) {
      return alone.classes();
    }
    // It may need support that needs it.
    sources.putAll(task.support());
    Compiled mixed = compiler.compile(new Layer(sources, true, task.jars()), Map.of());
    Map<String, byte[]> own = new LinkedHashMap<>(mixed.classes());
    own.keySet().removeIf(name -> !task.reference().containsKey(mixed.origins().get(name)));
    return own;
  }

  /** Whether no candidate could make the error go away. */
  private boolean isHopeless(Diagnostic error) {
    String code = error.code().replaceFirst("^compiler\\.err\\.", "");
    Matcher named = MISSING_PACKAGE.matcher(error.message());
    boolean missing = named.find() && !task.className().startsWith(named.group(1) + ".");
    return missing || OF_ITSELF.stream().anyMatch(code::startsWith);
  }
}
