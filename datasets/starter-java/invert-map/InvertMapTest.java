import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InvertMapTest {
  @Test
  void swapsSinglePair() {
    assertEquals(Map.of(1, List.of("one")), InvertMap.invert(Map.of("one", 1)));
  }

  @Test
  void keepsDistinctValuesApart() {
    assertEquals(
        Map.of(1, List.of("a"), 2, List.of("b"), 3, List.of("c")),
        InvertMap.invert(Map.of("a", 1, "b", 2, "c", 3)));
  }

  @Test
  void collectsKeysInOrder() {
    Map<String, String> colours = new LinkedHashMap<>();
    colours.put("poppy", "red");
    colours.put("sky", "blue");
    colours.put("brick", "red");
    colours.put("apple", "red");
    assertEquals(
        Map.of("red", List.of("poppy", "brick", "apple"), "blue", List.of("sky")),
        InvertMap.invert(colours));
  }

  @Test
  void worksForNumbers() {
    Map<Integer, Boolean> even = new LinkedHashMap<>();
    for (int i = 9; i > 4; i--) {
      even.put(i, i % 2 == 0);
    }
    assertEquals(Map.of(true, List.of(8, 6), false, List.of(9, 7, 5)), InvertMap.invert(even));
  }

  @Test
  void emptyMapStaysEmpty() {
    assertEquals(Map.of(), InvertMap.invert(Map.of()));
  }
}
