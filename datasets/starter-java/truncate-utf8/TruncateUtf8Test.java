import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TruncateUtf8Test {
  @Test
  void keepsTextThatFits() {
    assertEquals("finch", TruncateUtf8.truncateUtf8("finch", 5));
    assertEquals("finch", TruncateUtf8.truncateUtf8("finch", 500));
  }

  @Test
  void cutsAscii() {
    assertEquals("fin", TruncateUtf8.truncateUtf8("finch", 3));
  }

  @Test
  void countsTwoByteCharacters() {
    assertEquals("h\u00e9", TruncateUtf8.truncateUtf8("h\u00e9llo", 3));
    assertEquals("h", TruncateUtf8.truncateUtf8("h\u00e9llo", 2));
  }

  @Test
  void countsThreeByteCharacters() {
    assertEquals("\u4e16", TruncateUtf8.truncateUtf8("\u4e16\u754c", 5));
    assertEquals("\u4e16\u754c", TruncateUtf8.truncateUtf8("\u4e16\u754c", 6));
  }

  @Test
  void neverSplitsSurrogatePairs() {
    assertEquals("a", TruncateUtf8.truncateUtf8("a\ud83d\ude00b", 4));
    assertEquals("a\ud83d\ude00", TruncateUtf8.truncateUtf8("a\ud83d\ude00b", 5));
  }

  @Test
  void stopsAtFirstCharacterThatDoesNotFit() {
    assertEquals("a", TruncateUtf8.truncateUtf8("a\u4e16b", 3));
  }

  @Test
  void zeroBytesGiveNothing() {
    assertEquals("", TruncateUtf8.truncateUtf8("abc", 0));
    assertEquals("", TruncateUtf8.truncateUtf8("", 10));
  }
}
