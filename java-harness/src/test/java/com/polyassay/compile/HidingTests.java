package com.polyassay.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HidingTests {
  private static final String BAG = "public class Bag extends Base { Other other; }";
  private static final String TESTS =
      "import java.util.*; class BagTest { void t() {"
          + " List<String> all = new ArrayList<>(); Object o = new Bag(); Node n = null;"
          + " assert Math.abs(all.size()) == 0 && String.valueOf(Map.of()).isEmpty(); } }";

  private static Set<String> hidden(String helpers, String... named) {
    LayerCompiler compiler = new LayerCompiler(List.of(), 1 << 20);
    String base = helpers.contains("class Base") ? "" : "class Base {}";
    Map<String, String> answer = Map.of("Bag.java", BAG + base + "class Other {}" + helpers);
    Compiled candidate = compiler.compile(new Layer(answer, false, List.of()), Map.of());
    assertTrue(candidate.good(), candidate.diagnostics().toString());
    Set<String> own = new HashSet<>(candidate.classes().keySet());
    own.remove("Bag");
    Layer tests = new Layer(Map.of("Tests.java", TESTS), true, List.of());
    Map<String, byte[]> without = Map.of("Bag", candidate.classes().get("Bag"));
    return Hiding.of(compiler, tests, own, List.of(named), without);
  }

  @ParameterizedTest
  @ValueSource(strings = {"List", "ArrayList", "Map", "Math", "String", "Object"})
  void aClassThatTestsMeanOtherwiseIsFound(String name) {
    assertEquals(Set.of(name), hidden("class " + name + " {}"));
  }

  @Test
  void whatItHoldsGoesWithIt() {
    assertEquals(Set.of("Math", "Math$In"), hidden("class Math { static class In {} }"));
    assertEquals(Set.of("List"), hidden("interface List<T> {} class Base implements List<Bag> {}"));
  }

  @Test
  void theTasksOwnNamesAndOtherClassesStay() {
    assertEquals(Set.of(), hidden("class List {} class Math {}", "List", "Math"));
    assertEquals(Set.of(), hidden("class Node {} class Unused {} class LinkedList {}"));
  }
}
