import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LargestItemsTest {
  @Test
  void returnsLargestFirst() {
    assertEquals(List.of(90, 41, 12), LargestItems.largest(List.of(12, 3, 90, 7, 41), 3));
  }

  @Test
  void keepsDuplicates() {
    assertEquals(List.of(5, 5, 4), LargestItems.largest(List.of(5, 1, 4, 5), 3));
  }

  @Test
  void returnsAllWhenThereAreFewer() {
    assertEquals(List.of("b", "a"), LargestItems.largest(List.of("a", "b"), 9));
  }

  @Test
  void ordersNegativeNumbers() {
    assertEquals(List.of(-1, -2), LargestItems.largest(List.of(-3, -1, -2), 2));
  }

  @Test
  void takesAnyCollection() {
    assertEquals(List.of("pear", "fig"), LargestItems.largest(Set.of("fig", "apple", "pear"), 2));
  }

  @Test
  void nothingWantedGivesNothing() {
    assertEquals(List.of(), LargestItems.largest(List.of(1, 2), 0));
    assertEquals(List.of(), LargestItems.largest(List.of(1, 2), -1));
  }

  @Test
  void leavesCollectionUnchanged() {
    List<Integer> items = new ArrayList<>(List.of(2, 9, 4));
    assertEquals(List.of(9), LargestItems.largest(items, 1));
    assertEquals(List.of(2, 9, 4), items);
  }
}
