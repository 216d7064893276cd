import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkListTest {
  @Test
  void splitsEvenly() {
    assertEquals(List.of(List.of(1, 2), List.of(3, 4)), ChunkList.chunk(List.of(1, 2, 3, 4), 2));
  }

  @Test
  void lastPartMayBeShorter() {
    assertEquals(
        List.of(List.of("a", "b", "c"), List.of("d")),
        ChunkList.chunk(List.of("a", "b", "c", "d"), 3));
  }

  @Test
  void sizeBeyondLengthGivesOnePart() {
    assertEquals(List.of(List.of(7, 8)), ChunkList.chunk(List.of(7, 8), 10));
  }

  @Test
  void sizeOneGivesSingles() {
    assertEquals(List.of(List.of(1), List.of(2), List.of(3)), ChunkList.chunk(List.of(1, 2, 3), 1));
  }

  @Test
  void emptyListGivesNoParts() {
    assertEquals(List.of(), ChunkList.chunk(List.of(), 4));
  }

  @Test
  void rejectsZeroSize() {
    assertThrows(IllegalArgumentException.class, () -> ChunkList.chunk(List.of(1), 0));
  }

  @Test
  void rejectsNegativeSize() {
    assertThrows(IllegalArgumentException.class, () -> ChunkList.chunk(List.of(1, 2), -2));
  }
}
