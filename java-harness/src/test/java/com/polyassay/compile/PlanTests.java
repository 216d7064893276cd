package com.polyassay.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTests {
  private static final LayerCompiler COMPILER =
      new LayerCompiler(
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(File::new)
              .toList(),
          1 << 20);

  @Test
  void plainMethodsAreJudgedApart() {
    Plan plan = plan("public static int twice(int n)", "Twice.twice(1);");
    assertEquals("", plan.together());
    assertEquals(List.of("TwiceTest"), plan.testClasses());
    assertTrue(plan.classes().keySet().containsAll(List.of("Twice", "TwiceTest")));
    assertFalse(plan.classes().containsKey("PolyassayAdapter"));
  }

  @Test
  void instancesAndGenericsAreJudgedApart() {
    String signature = "public <T extends Comparable<T>> List<T> sorted(Map<String, T[]> all)";
    assertEquals("", plan(signature, "new Twice().sorted(null);").together());
  }

  @Test
  void otherTypesAreJudgedTogether() {
    String signature = "public static int twice(IntUnaryOperator f)";
    assertEquals("values of type IntUnaryOperator do not cross", plan(signature, "").together());
  }

  @Test
  void testsThatUseMoreAreJudgedTogether() {
    assertEquals(
        "the tests use more of the class than its method",
        plan("public static int twice(int n)", "Twice.thrice(1);").together());
  }

  @Test
  void habitsOfTestsAreJudgedTogether() {
    assertEquals(
        "the tests capture output",
        plan("public static int twice(int n)", "System.setOut(null);").together());
    assertEquals("", plan("public static int twice(int n)", "// System.setOut(null);").together());
  }

  @Test
  void signaturesThatAreNoMethodsGiveNoAdapter() {
    Plan plan = plan("class Twice", "");
    assertEquals("", plan.adapterName());
    assertEquals("its signature is not that of one method", plan.together());
  }

  @Test
  void checkedExceptionsAreAllowedWhereTheTestsAllowThem() {
    assertTrue(plan("public static int twice(int n)", "").adapter().contains("throws Exception"));
    Plan strict =
        plan("public static int twice(int n)", "Runnable r = () -> Twice.twice(1); r.run();");
    assertFalse(strict.adapter().contains("throws"));
  }

  private static Plan plan(String signature, String test) {
    String tests =
        "import org.junit.jupiter.api.*; class TwiceTest { @Test void test() throws Exception { "
            + test
            + "\n } }";
    Plan.Facts task = new Plan.Facts("Twice", signature, "", "", Map.of(), tests);
    return Plan.of(task, Compiled.broken(""), COMPILER);
  }
}
