import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class MostFrequentTest {
  @Test
  void findsWinner() {
    assertEquals("oak", MostFrequent.mostFrequent(List.of("elm", "oak", "ash", "oak")));
  }

  @Test
  void worksForNumbers() {
    assertEquals(Integer.valueOf(500), MostFrequent.mostFrequent(List.of(7, 500, 7, 500, 3, 500)));
  }

  @Test
  void firstOneWinsTie() {
    assertEquals("z", MostFrequent.mostFrequent(List.of("z", "a", "a", "z")));
    assertEquals("m", MostFrequent.mostFrequent(List.of("m", "b", "c")));
  }

  @Test
  void firstAppearanceDecidesTieNotFirstToReachCount() {
    assertEquals("p", MostFrequent.mostFrequent(List.of("q", "p", "r", "r", "p")));
  }

  @Test
  void singleElementWins() {
    assertEquals(Long.valueOf(42), MostFrequent.mostFrequent(List.of(42L)));
  }

  @Test
  void emptyListGivesNull() {
    assertNull(MostFrequent.mostFrequent(List.of()));
  }
}
