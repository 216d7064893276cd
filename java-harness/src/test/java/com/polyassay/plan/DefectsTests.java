package com.polyassay.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.PlanTask;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefectsTests {
  // What JUnit's classes are read from, so that tests could import them.
  private static final List<File> JUNIT =
      Stream.of(Test.class.getProtectionDomain().getCodeSource().getLocation().getPath())
          .map(File::new)
          .toList();
  private static final LayerCompiler COMPILER = new LayerCompiler(JUNIT, 1 << 20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class TwiceTest { void test() { Twice.twice(1) } }",
        "class TwiceTest { void test() { Twice.twice(1); }",
        "class TwiceTest { void test() { String s = \"Twice.twice(1); } }",
        "import org.missing.Library; class TwiceTest { Library l; }",
        "import static org.missing.Library.*; class TwiceTest { void test() { Twice.more(); } }",
        "class TwiceTest { List<Integer> l = Twice.all(); }",
        "class TwiceTest { Object o = Arrays.asList(Twice.thrice(1)); }",
        "class TwiceTest { @Test void test() { Twice.thrice(1); } }",
        "class TwiceTest { void test() { assertEquals(3, Twice.thrice(1)); } }",
        "class TwiceTest { void test() { class In { void in() { help(Twice.more()); } } } }",
        "class TwiceTest { void test() { Twice.more(); } void test() { Twice.more(); } }",
        "class TwiceTest { void test() { String s = \"\\q\" + Twice.more(); } }",
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
        "class TwiceTest { Queue known = new Queue(); }",
        "class TwiceTest extends Twice { void test() { inherited(thrice(1)); } }",
        "class TwiceTest { Object o = new Twice() { int i = inherited(); }; }",
        "import static Twice.*; class TwiceTest { void test() { inherited(); } }",
        "import static java.lang.Math.*; class TwiceTest { int i = abs(Twice.thrice(1)); }",
        "class TwiceTest { int in(int n) { return n; } int i = in(hashCode() + Twice.more()); }",
        "class TwiceTest { int i; TwiceTest() { this(Twice.thrice(1)); } TwiceTest(int i) {} }",
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
    PlanTask task =
        task(support, tests, "class Twice { static int thrice() { return 3; } Helper helper; }");
    Compiled alone = COMPILER.compile(new Layer(support, true, List.of()), Map.of());
    assertEquals("", Defects.of(task, alone, COMPILER));
    PlanTask broken = task(support, tests.replace("Helper()", "Helper(1)"), task.reference());
    assertTrue(Defects.of(broken, alone, COMPILER).contains("constructor Helper"));
  }

  @Test
  void otherClassesOfTheReferenceHideNothing() {
    String tests = "import java.util.*; class TwiceTest { int n = new Stack<Twice>().size(); }";
    assertEquals("", defect(tests, "class Twice { Stack hidden; } class Stack { }"));
  }

  private static String defect(String tests, String reference) {
    return Defects.of(task(Map.of(), tests, reference), Compiled.broken(""), COMPILER);
  }

  private static PlanTask task(Map<String, String> support, String tests, String reference) {
    return task(support, tests, reference.isEmpty() ? Map.of() : Map.of("Twice.java", reference));
  }

  private static PlanTask task(
      Map<String, String> support, String tests, Map<String, String> reference) {
    List<String> named = List.of("Queue");
    return new PlanTask("Twice", "", "", "", support, tests, List.of(), reference, named);
  }
}
