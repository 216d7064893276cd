import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class NestTest {
  @Test
  void refusesNegativeNumbers() {
    assertThrows(IllegalArgumentException.class, () -> Nest.nest(-1));
  }

  @Test
  void refusesZero() {
    assertThrows(IllegalStateException.class, () -> Nest.nest(0));
  }
}
