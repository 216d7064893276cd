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
 * against them: sources that do not parse, and packages that do not exist.
 */
final class Defects {
  // What begins with a capital may be a class of the candidate's, which the compiler takes for one.
  private static final Pattern MISSING_PACKAGE =
      Pattern.compile("package ([a-z]\\w*(?:\\.[a-z]\\w*)*) does not exist");

  private Defects() {}

  /** Why the tests compile with no candidate; empty where they may. */
  static String of(PlanTask task, Compiled support, LayerCompiler compiler) {
    Map<String, String> tests = new LinkedHashMap<>();
    tests.put(PlanMaker.TESTS, task.testSource());
    if (!support.good()) {
      tests.putAll(task.support());
    }
    Compiled reference = reference(task, support, compiler);
    Map<String, byte[]> below = LayerCompiler.joined(support.classes(), reference.classes());
    Compiled compiled = compiler.compile(new Layer(tests, true, task.jars()), below);
    boolean withReference = !reference.classes().isEmpty();
    for (Diagnostic each : compiled.diagnostics()) {
      if (withReference || isHopeless(each, task)) {
        return "the tests do not compile: %s:%d: %s"
            .formatted(each.source(), each.line(), each.message().replaceAll("\\s+", " "));
      }
    }
    return "";
  }

  /** Without classes where there is no reference, or where it does not compile itself. */
  private static Compiled reference(PlanTask task, Compiled support, LayerCompiler compiler) {
    if (task.reference().isEmpty()) {
      return Compiled.broken("");
    }
    return compiler.compile(new Layer(task.reference(), false, task.jars()), support.classes());
  }

  /** Whether no candidate could make the error go away. */
  private static boolean isHopeless(Diagnostic error, PlanTask task) {
    String code = error.code().replaceFirst("^compiler\\.err\\.", "");
    Matcher named = MISSING_PACKAGE.matcher(error.message());
    boolean missing = named.find() && !task.className().startsWith(named.group(1) + ".");
    return missing || SYNTAX.stream().anyMatch(code::startsWith);
  }

  // What the parser says; it knows nothing of any class.
  private static final List<String> SYNTAX =
      List.of(
          "expected",
          "illegal.start.of",
          "illegal.char",
          "premature.eof",
          "unclosed",
          "not.stmt",
          "class.public.should.be.in.file",
          "invalid.meth.decl.ret.type.req",
          "orphaned",
          "else.without.if");
}
