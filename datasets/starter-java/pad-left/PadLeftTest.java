import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PadLeftTest {
  @Test
  void fillsUpToLength() {
    assertEquals("00042", PadLeft.padLeft("42", '0', 5));
  }

  @Test
  void keepsTextOfExactLength() {
    assertEquals("heron", PadLeft.padLeft("heron", '.', 5));
  }

  @Test
  void keepsLongerText() {
    assertEquals("kingfisher", PadLeft.padLeft("kingfisher", '.', 4));
  }

  @Test
  void keepsTextForNegativeLength() {
    assertEquals("ab", PadLeft.padLeft("ab", '*', -3));
  }

  @Test
  void fillsEmptyText() {
    assertEquals("---", PadLeft.padLeft("", '-', 3));
  }

  @Test
  void treatsNullAsEmpty() {
    assertEquals("xx", PadLeft.padLeft(null, 'x', 2));
    assertEquals("", PadLeft.padLeft(null, 'x', 0));
  }

  @Test
  void keepsSpacesOfText() {
    assertEquals("__ a ", PadLeft.padLeft(" a ", '_', 5));
  }
}
