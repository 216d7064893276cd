import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ToBase62Test {
  @Test
  void writesZero() {
    assertEquals("0", ToBase62.toBase62(0));
  }

  @Test
  void writesSingleDigits() {
    assertEquals("9", ToBase62.toBase62(9));
    assertEquals("A", ToBase62.toBase62(10));
    assertEquals("Z", ToBase62.toBase62(35));
    assertEquals("a", ToBase62.toBase62(36));
    assertEquals("z", ToBase62.toBase62(61));
  }

  @Test
  void carriesToNextPlace() {
    assertEquals("10", ToBase62.toBase62(62));
    assertEquals("100", ToBase62.toBase62(3_844));
  }

  @Test
  void putsHighestPlaceFirst() {
    assertEquals("1B", ToBase62.toBase62(73));
    assertEquals("zA", ToBase62.toBase62(3_792));
  }

  @Test
  void writesNumbersBeyondInt() {
    assertEquals("AzL8n0Y58m7", ToBase62.toBase62(Long.MAX_VALUE));
  }

  @Test
  void rejectsNegativeNumbers() {
    assertThrows(IllegalArgumentException.class, () -> ToBase62.toBase62(-1));
    assertThrows(IllegalArgumentException.class, () -> ToBase62.toBase62(Long.MIN_VALUE));
  }
}
