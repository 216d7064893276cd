import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MaskDigitsTest {
  @Test
  void masksAllButLastDigits() {
    assertEquals("******7890", MaskDigits.maskDigits("1234567890", 4));
  }

  @Test
  void keepsSeparators() {
    assertEquals("**** **** **** 5512", MaskDigits.maskDigits("4099 1200 7731 5512", 4));
  }

  @Test
  void separatorsDoNotCountAsDigits() {
    assertEquals("+** ***-**3-45", MaskDigits.maskDigits("+49 170-123-45", 3));
  }

  @Test
  void masksEverythingWhenNothingIsVisible() {
    assertEquals("**-**", MaskDigits.maskDigits("12-34", 0));
  }

  @Test
  void keepsShortNumber() {
    assertEquals("1-2", MaskDigits.maskDigits("1-2", 4));
  }

  @Test
  void keepsTextWithoutDigits() {
    assertEquals("n/a", MaskDigits.maskDigits("n/a", 2));
    assertEquals("", MaskDigits.maskDigits("", 2));
  }

  @Test
  void rejectsNegativeCount() {
    assertThrows(IllegalArgumentException.class, () -> MaskDigits.maskDigits("1234", -1));
  }
}
