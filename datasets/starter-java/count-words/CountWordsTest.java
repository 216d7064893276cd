import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CountWordsTest {
  @Test
  void countsRepeatedWords() {
    assertEquals(Map.of("tick", 2, "tock", 1), CountWords.countWords("tick tock tick"));
  }

  @Test
  void ignoresCase() {
    assertEquals(Map.of("rain", 3), CountWords.countWords("Rain RAIN rain"));
  }

  @Test
  void splitsAtPunctuation() {
    assertEquals(
        Map.of("no", 2, "not", 1, "now", 1), CountWords.countWords("No, no; (not) now..."));
  }

  @Test
  void splitsAtLineBreaksAndTabs() {
    assertEquals(Map.of("a", 2, "b", 1), CountWords.countWords("a\tb\n\n  a "));
  }

  @Test
  void countsNumbersAsWords() {
    assertEquals(Map.of("route", 1, "66", 2), CountWords.countWords("Route 66/66"));
  }

  @Test
  void knowsLettersBeyondAscii() {
    assertEquals(
        Map.of("\u00f6l", 2, "caf\u00e9", 1), CountWords.countWords("\u00d6l, caf\u00e9, \u00f6l"));
  }

  @Test
  void givesEmptyMapForNothing() {
    assertEquals(Map.of(), CountWords.countWords(null));
    assertEquals(Map.of(), CountWords.countWords(""));
    assertEquals(Map.of(), CountWords.countWords(" \n"));
  }
}
