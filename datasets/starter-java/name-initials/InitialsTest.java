import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class InitialsTest {
  private final Initials initials = new Initials();

  @Test
  void takesFirstLetters() {
    assertEquals("A.K.L.", initials.initials("ada king lovelace"));
  }

  @Test
  void keepsCapitals() {
    assertEquals("G.H.", initials.initials("Grace Hopper"));
  }

  @Test
  void singleNameHasOneInitial() {
    assertEquals("P.", initials.initials("plato"));
  }

  @Test
  void ignoresExtraSpace() {
    assertEquals("A.T.", initials.initials("  alan \t  turing\n"));
  }

  @Test
  void hyphenatedWordCountsOnce() {
    assertEquals("J.S.", initials.initials("jean-luc sartre"));
  }

  @Test
  void knowsLettersBeyondAscii() {
    assertEquals("\u00c9.\u00d6.", initials.initials("\u00e9mile \u00f6berg"));
  }

  @Test
  void nothingGivesEmptyText() {
    assertEquals("", initials.initials(null));
    assertEquals("", initials.initials(""));
    assertEquals("", initials.initials(" \t"));
  }
}
