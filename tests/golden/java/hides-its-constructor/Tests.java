import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CounterTest {
  @Test
  void counts() {
    assertEquals(2, new Counter().next(1));
  }
}
