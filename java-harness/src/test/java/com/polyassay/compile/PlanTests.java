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
  void comparedIdentitiesAreJudgedTogether() {
    String reason = "the tests compare identities";
    String signature = "public static String twice(Object n)";
    assertEquals(reason, plan(signature, "assert Twice.twice(1) == \"11\";").together());
    assertEquals(reason, plan(signature, "assert \"1\" != (Object) Twice.twice(1);").together());
    assertEquals("", plan(signature, "assert Twice.twice(1) != null;").together());
    String number = "public static int twice(String n)";
    assertEquals("", plan(number, "String a = \"\"; Twice.twice(a); assert a == \"\";").together());
    assertEquals("", plan(signature, "assert Twice.twice(1).length() == 2;").together());
    assertEquals(
        "",
        plan(
                "public static Month twice(int n)",
                "import java.time.Month;",
                "assert Twice.twice(1) == Month.MAY;")
            .together());
  }

  @Test
  void argumentsThatDoNotCrossAreJudgedTogether() {
    String signature = "public static <T> List<T> twice(T[] all)";
    String reason = "values of type Thread do not cross";
    assertEquals(reason, plan(signature, "Twice.twice(new Thread[1]);").together());
    assertEquals(
        "", plan(signature, "Twice.twice(new Integer[] {1}).get(0).intValue();").together());
    String map = "public static int twice(Map<Integer, Object> n)";
    assertEquals(
        "", plan(map, "Twice.twice(new java.util.HashMap<>() {{ put(1, 2); }});").together());
    assertEquals("", plan(map, "Twice.twice(null);").together());
    assertEquals(
        "values of type WeakHashMap do not cross",
        plan(map, "Twice.twice(new java.util.WeakHashMap<>());").together());
  }

  @Test
  void classesOfTheSupportAreJudgedTogether() {
    String tests = "class TwiceTest { void test() { new Twice().twice(new Pupil()); } }";
    Map<String, String> support = Map.of("Pupil.java", "public class Pupil {}");
    Plan.Facts task = new Plan.Facts("Twice", "public <T> T twice(T one)", "", "", support, tests);
    Compiled alone = COMPILER.compile(new Layer(support, false, true), Map.of());
    assertEquals("values of type Pupil do not cross", Plan.of(task, alone, COMPILER).together());
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
    return plan(signature, "", test);
  }

  private static Plan plan(String signature, String imports, String test) {
    String tests =
        imports
            + "import org.junit.jupiter.api.*; class TwiceTest { @Test void test() throws Exception"
            + " { "
            + test
            + "\n } }";
    Plan.Facts task = new Plan.Facts("Twice", signature, "", "", Map.of(), tests);
    return Plan.of(task, Compiled.broken(""), COMPILER);
  }
}
