import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ClampTest {
  @Test
  void keepsWhatFits() {
    assertEquals(2, Clamp.clamp(2, 0, 3));
  }

  @Test
  void raisesToLow() {
    assertEquals(0, Clamp.clamp(-1, 0, 3));
  }

  @Test
  void lowersToHigh() {
    assertEquals(3, Clamp.clamp(5, 0, 3));
  }
}
