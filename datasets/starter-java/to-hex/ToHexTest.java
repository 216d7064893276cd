import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ToHexTest {
  @Test
  void writesSmallBytesWithTwoDigits() {
    assertEquals("00010a", ToHex.toHex(new byte[] {0, 1, 10}, ""));
  }

  @Test
  void writesNegativeBytes() {
    assertEquals("ff80", ToHex.toHex(new byte[] {-1, -128}, ""));
  }

  @Test
  void separatesNeighbours() {
    assertEquals("0a:ff:10", ToHex.toHex(new byte[] {10, -1, 16}, ":"));
  }

  @Test
  void singleByteHasNoSeparator() {
    assertEquals("7f", ToHex.toHex(new byte[] {127}, "-"));
  }

  @Test
  void takesLongSeparators() {
    assertEquals("12, 34, 56", ToHex.toHex(new byte[] {0x12, 0x34, 0x56}, ", "));
  }

  @Test
  void emptyGivesEmpty() {
    assertEquals("", ToHex.toHex(new byte[0], ":"));
  }

  @Test
  void coversAllBytes() {
    byte[] all = new byte[256];
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) i;
      expected.append("0123456789abcdef".charAt(i / 16)).append("0123456789abcdef".charAt(i % 16));
    }
    assertEquals(expected.toString(), ToHex.toHex(all, ""));
  }
}
