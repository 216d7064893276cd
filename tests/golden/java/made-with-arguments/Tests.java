import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.Test;

class ChangeTest {
  @Test
  void objectsDiffer() {
    Change euros = new Change(Arrays.asList(5, 1), "EUR");
    Change pence = new Change(List.of(3, 1), "GBP");
    assertEquals(List.of(5, 1, 1), euros.of(7));
    assertEquals(List.of(3, 3, 1), pence.of(7));
  }

  @Test
  void refusesToBeMade() {
    Exception thrown =
        assertThrows(IllegalArgumentException.class, () -> new Change(List.of(1), ""));
    assertEquals("no currency", thrown.getMessage());
  }

  @Test
  void wrong() {
    assertEquals(List.of(2), new Change(List.of(1), "EUR").of(2));
  }
}
