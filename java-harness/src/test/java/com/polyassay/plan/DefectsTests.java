package com.polyassay.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.PlanTask;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefectsTests {
  private static final LayerCompiler COMPILER = new LayerCompiler(List.of(), 1 << 20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class TwiceTest { void test() { Twice.twice(1) } }",
        "class TwiceTest { void test() { Twice.twice(1); }",
        "class TwiceTest { void test() { String s = \"Twice.twice(1); } }",
        "import org.missing.Library; class TwiceTest { Library l; }",
        "import static org.missing.Library.*; class TwiceTest { void test() { Twice.more(); } }",
      })
  void whatNoCandidateCouldMendIsADefect(String tests) {
    assertTrue(defect(tests, "").startsWith("the tests do not compile: Tests.java:1: "), tests);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class TwiceTest { void test() { Twice.thrice(1); } }",
        "class TwiceTest { Thrice known = new Thrice(); }",
        "class TwiceTest { void test() { int i = new Twice().count; } }",
        "class TwiceTest extends Twice.Base {}",
        "class TwiceTest { @Override public String toString() { return Twice.NAME; } }",
      })
  void whatACandidateMayHaveIsNone(String tests) {
    assertEquals("", defect(tests, ""), tests);
  }

  @Test
  void testsMustCompileAgainstTheReference() {
    String tests = "class TwiceTest { void test() { Twice.thrice(1); } }";
    String defect = defect(tests, "class Twice { static int twice(int n) { return 2 * n; } }");
    assertTrue(defect.startsWith("the tests do not compile: Tests.java:1: cannot find"), defect);
    assertEquals("", defect(tests, "class Twice { static int thrice(int n) { return 3 * n; } }"));
  }

  @Test
  void aReferenceThatDoesNotCompileSaysNothing() {
    assertEquals("", defect("class TwiceTest { Object o = Twice.thrice(1); }", "class Twice { ?"));
  }

  @Test
  void supportThatCallsTheCandidateIsCompiledWithTheTests() {
    Map<String, String> support = Map.of("Helper.java", "class Helper { int n = Twice.thrice(); }");
    String tests = "class TwiceTest { int n = new Helper().n; }";
    PlanTask task = task(support, tests, "class Twice { static int thrice() { return 3; } }");
    Compiled alone = COMPILER.compile(new Layer(support, true, List.of()), Map.of());
    assertEquals("", Defects.of(task, alone, COMPILER));
  }

  private static String defect(String tests, String reference) {
    return Defects.of(task(Map.of(), tests, reference), Compiled.broken(""), COMPILER);
  }

  private static PlanTask task(Map<String, String> support, String tests, String reference) {
    Map<String, String> references =
        reference.isEmpty() ? Map.of() : Map.of("Twice.java", reference);
    return new PlanTask("Twice", "", "", "", support, tests, List.of(), references);
  }
}
