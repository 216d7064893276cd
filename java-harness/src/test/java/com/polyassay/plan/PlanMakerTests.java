package com.polyassay.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.JudgingPlan;
import com.polyassay.wire.CompileMessages.PlanTask;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanMakerTests {
  private static final LayerCompiler COMPILER =
      new LayerCompiler(
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(File::new)
              .toList(),
          1 << 20);

  @Test
  void plainMethodsAreJudgedApart() {
    JudgingPlan plan = plan("public static int twice(int n)", "Twice.twice(1);");
    assertEquals("", plan.togetherBecause());
    assertEquals(List.of("TwiceTest"), plan.testClasses());
    assertTrue(plan.classes().keySet().containsAll(List.of("Twice", "TwiceTest")));
    assertFalse(plan.classes().containsKey("PolyassayAdapter"));
  }

  @Test
  void instancesAndGenericsAreJudgedApart() {
    String signature = "public <T extends Comparable<T>> List<T> sorted(Map<String, T[]> all)";
    assertEquals("", plan(signature, "new Twice().sorted(null);").togetherBecause());
  }

  @Test
  void otherTypesAreJudgedTogether() {
    String signature = "public static int twice(IntUnaryOperator f)";
    assertEquals(
        "values of type IntUnaryOperator do not cross", plan(signature, "").togetherBecause());
  }

  @Test
  void testsThatUseMoreAreJudgedTogether() {
    assertEquals(
        "the tests use more of the class than its method",
        plan("public static int twice(int n)", "Twice.thrice(1);").togetherBecause());
  }

  @Test
  void habitsOfTestsAreJudgedTogether() {
    assertEquals(
        "the tests capture output",
        plan("public static int twice(int n)", "System.setOut(null);").togetherBecause());
    assertEquals(
        "", plan("public static int twice(int n)", "// System.setOut(null);").togetherBecause());
  }

  @Test
  void textsAndSeparatorsAreNoHabits() {
    String signature = "public static String twice(String n)";
    assertEquals("", plan(signature, "Twice.twice(\"Program Files\");").togetherBecause());
    assertEquals("", plan(signature, "Twice.twice(java.io.File.separator);").togetherBecause());
    String reason = "the tests share files with the candidate";
    assertEquals(
        reason, plan(signature, "new java.io.File(Twice.twice(\"a\"));").togetherBecause());
    assertEquals(
        reason,
        plan(signature, "char c = '\"'; java.nio.file.Files.size(null);").togetherBecause());
    assertEquals(
        reason, plan(signature, "Twice.twice(\"//\"); new java.io.File(\"\");").togetherBecause());
  }

  @Test
  void identitiesWithinOneCallAreJudgedApart() {
    for (String test :
        List.of(
            "assert Twice.twice(1) == \"11\";",
            "assert \"1\" != (Object) Twice.twice(1);",
            "Object o = 1; assert o == Twice.twice(o);",
            "String a = Twice.twice(1), b = null; assert a == b || a.equals(b);",
            "for (String s : List.of(\"a\")) assert Twice.twice(s) == s;",
            "assert Twice.twice(1) != null;",
            "assert Twice.twice(1).length() == 2;",
            "Object o = List.of(), p = o; Twice.twice(1); assert o == p;")) {
      assertEquals("", together("public static String twice(Object n)", test), test);
    }
    assertEquals(
        "", together("public static Month twice(int n)", "assert Twice.twice(1) == null;"));
    String array = "public static int[] twice(int[] n)";
    assertEquals("", together(array, "int[] n = {1}; assert Twice.twice(n) != n;"));
    assertEquals(
        "",
        together(
            array, "assert same(Twice.twice(null), new int[1]); } " + SAME.formatted("int[]")));
  }

  @Test
  void identitiesAcrossCallsAreJudgedTogether() {
    String list = "List<String> l = new ArrayList<>(); ";
    for (String test :
        List.of(
            "assert Twice.twice(1) == Twice.twice(1);",
            "String a = Twice.twice(1), b = Twice.twice(1); assert a == b;",
            "String a = \"\"; for (int i = 0; i < 9; i++) {"
                + " String b = Twice.twice(1); assert a == b; a = b; }",
            "String a = new String(), b = new String();"
                + " Twice.twice(a); assert Twice.twice(b) == a;",
            list + "l.add(Twice.twice(1)); l.add(Twice.twice(2)); assert l.get(0) == l.get(1);",
            list + "l.add(\"\"); Twice.twice(l.get(0)); assert Twice.twice(1) == l.get(0);",
            list + "Collections.addAll(l, Twice.twice(1)); assert Twice.twice(1) == l.get(0);",
            list + "l.add(Twice.twice(1)); l.forEach(s -> { assert s == Twice.twice(1); });",
            "assert same(Twice.twice(1), Twice.twice(2)); } " + SAME.formatted("String"),
            "assert one() == Twice.twice(1); } String one() { return Twice.twice(1); ")) {
      assertEquals(
          "the tests compare identities",
          together("public static String twice(Object n)", test),
          test);
    }
  }

  @Test
  void identitiesOfSharedConstantsAreJudgedTogether() {
    String reason = "the tests compare identities";
    String empty = "assert Twice.twice(1) == Collections.EMPTY_LIST;";
    assertEquals(reason, together("public static List twice(int n)", empty));
    String decimal = "public static java.math.BigDecimal twice(java.math.BigDecimal n)";
    assertEquals(
        reason, together(decimal, "var n = java.math.BigDecimal.ONE; assert n == Twice.twice(n);"));
    String month = "assert Twice.twice(1) == Month.MAY;";
    assertEquals("", together("public static Month twice(int n)", month));
  }

  @Test
  void argumentsThatDoNotCrossAreJudgedTogether() {
    String signature = "public static <T> List<T> twice(T[] all)";
    String reason = "values of type Thread do not cross";
    assertEquals(reason, plan(signature, "Twice.twice(new Thread[1]);").togetherBecause());
    assertEquals(
        "", plan(signature, "Twice.twice(new Integer[] {1}).get(0).intValue();").togetherBecause());
    String map = "public static int twice(Map<Integer, Object> n)";
    assertEquals(
        "",
        plan(map, "Twice.twice(new java.util.HashMap<>() {{ put(1, 2); }});").togetherBecause());
    assertEquals("", plan(map, "Twice.twice(null);").togetherBecause());
    assertEquals(
        "values of type WeakHashMap do not cross",
        plan(map, "Twice.twice(new java.util.WeakHashMap<>());").togetherBecause());
  }

  @Test
  void objectsOfTheTestsOwnMakingAreJudgedTogether() {
    String reason = "the tests pass objects of their own classes";
    String texts = "public static int twice(CharSequence n)";
    assertEquals("", together(texts, "Twice.twice(new StringBuilder());"));
    assertEquals(
        reason,
        together(
            texts,
            "CharSequence own = new CharSequence() { public int length() { return 0; } public char"
                + " charAt(int i) { return 0; } public CharSequence subSequence(int a, int b) {"
                + " return this; } }; Twice.twice(own);"));
    String all = "public static int twice(Iterable<Integer> n)";
    assertEquals("", together(all, "Runnable r = () -> {}; Twice.twice(List.of(1));"));
    String lambda = "Iterable<Integer> own = () -> null; Twice.twice(own);";
    assertEquals(reason, together(all, lambda));
    assertEquals("", together("public static int twice(List<Integer> n)", "Iterable<?> i = null;"));
  }

  @Test
  void lazyResultsAreJudgedTogether() {
    assertEquals(
        "values of type Iterable do not cross",
        together("public static Iterable<Integer> twice(int n)", "Twice.twice(1);"));
  }

  @Test
  void classesOfTheSupportAreJudgedTogether() {
    String tests = "class TwiceTest { void test() { new Twice().twice(new Pupil()); } }";
    Map<String, String> support = Map.of("Pupil.java", "public class Pupil {}");
    PlanTask task = task("public <T> T twice(T one)", support, tests);
    Compiled alone = COMPILER.compile(new Layer(support, true, List.of()), Map.of());
    assertEquals(
        "values of type Pupil do not cross", PlanMaker.of(task, alone, COMPILER).togetherBecause());
  }

  @Test
  void supportThatCompilesAloneIsGivenBesideStubAndTests() {
    String tests = "class TwiceTest { void test() { new Twice().twice(Numbers.ONE); } }";
    Map<String, String> support = Map.of("Numbers.java", "class Numbers { static int ONE = 1; }");
    PlanTask task = task("public int twice(int n)", support, tests);
    Compiled alone = COMPILER.compile(new Layer(support, true, List.of()), Map.of());
    JudgingPlan plan = PlanMaker.of(task, alone, COMPILER);
    assertEquals(Set.of("Numbers"), plan.support().keySet());
    assertEquals(Set.of("Twice", "TwiceTest"), plan.classes().keySet());
  }

  @Test
  void signaturesThatAreNoMethodsGiveNoAdapter() {
    JudgingPlan plan = plan("class Twice", "");
    assertEquals("", plan.adapterName());
    assertEquals("its signature is not that of one method", plan.togetherBecause());
  }

  private static final String MADE = "Twice(List<Integer> all, int n); int twice(int n)";

  @Test
  void objectsThatAreMadeOfWhatTheTestsLetGoOfAreJudgedApart() {
    assertEquals("", together(MADE, "int n = 1; new Twice(Arrays.asList(n, 2), n).twice(1);"));
  }

  @Test
  void objectsThatAreMadeOfWhatTheTestsKeepAreJudgedTogether() {
    assertEquals(
        "the tests keep what they make the object of",
        together(MADE, "List<Integer> kept = new ArrayList<>(); new Twice(kept, 1).twice(1);"));
    String given = "new Twice(given(), 1).twice(1); } static List<Integer> given() { return null;";
    assertEquals("the tests keep what they make the object of", together(MADE, given));
  }

  @Test
  void objectsThatAreMadeOfOtherTypesAreJudgedTogether() {
    assertEquals(
        "values of type Thread do not cross",
        together("Twice(Thread one); int twice(int n)", "new Twice(null).twice(1);"));
  }

  @Test
  void severalMethodsGiveNoAdapter() {
    assertEquals(
        "its signature is not that of one method",
        together("int twice(int n); int thrice(int n)", "new Twice().twice(1);"));
  }

  @Test
  void checkedExceptionsAreAllowedWhereTheTestsAllowThem() {
    assertTrue(plan("public static int twice(int n)", "").adapter().contains("throws Exception"));
    JudgingPlan strict =
        plan("public static int twice(int n)", "Runnable r = () -> Twice.twice(1); r.run();");
    assertFalse(strict.adapter().contains("throws"));
  }

  private static final String SAME = "boolean same(%1$s a, %1$s b) { return a == b; ";

  private static String together(String signature, String test) {
    return plan(signature, "import java.time.*; import java.util.*; ", test).togetherBecause();
  }

  private static JudgingPlan plan(String signature, String test) {
    return plan(signature, "", test);
  }

  private static JudgingPlan plan(String signature, String imports, String test) {
    String tests =
        imports
            + "import org.junit.jupiter.api.*; class TwiceTest { @Test void test() throws Exception"
            + " { "
            + test
            + "\n } }";
    PlanTask task = task(signature, Map.of(), tests);
    return PlanMaker.of(task, Compiled.broken(""), COMPILER);
  }

  private static PlanTask task(String signature, Map<String, String> support, String tests) {
    return new PlanTask("Twice", signature, "", "", support, tests, List.of(), Map.of(), List.of());
  }
}
