import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackwardsTest {
  @Test
  void changesTheList() {
    List<Integer> all = Arrays.asList(1, 2, 3);
    Backwards.turn(all);
    assertEquals(List.of(3, 2, 1), all);
  }

  @Test
  void changesTheArrayBelow() {
    Integer[] all = {1, 2};
    Backwards.turn(Arrays.asList(all));
    assertArrayEquals(new Integer[] {2, 1}, all);
  }

  @Test
  void resultsCanBeChanged() {
    List<Integer> result = Backwards.turn(Arrays.asList(1));
    result.add(2);
    assertEquals(List.of(1, 2), result);
  }
}
