import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class RotateArrayTest {
  private static void assertRotated(int[] expected, int[] values, int steps) {
    RotateArray.rotateRight(values, steps);
    assertArrayEquals(expected, values);
  }

  @Test
  void rotatesByOne() {
    assertRotated(new int[] {4, 1, 2, 3}, new int[] {1, 2, 3, 4}, 1);
  }

  @Test
  void rotatesBySeveral() {
    assertRotated(new int[] {3, 4, 5, 1, 2}, new int[] {1, 2, 3, 4, 5}, 3);
  }

  @Test
  void fullTurnsChangeNothing() {
    assertRotated(new int[] {1, 2, 3}, new int[] {1, 2, 3}, 0);
    assertRotated(new int[] {1, 2, 3}, new int[] {1, 2, 3}, 6);
    assertRotated(new int[] {3, 1, 2}, new int[] {1, 2, 3}, 7);
  }

  @Test
  void negativeStepsRotateLeft() {
    assertRotated(new int[] {3, 4, 5, 1, 2}, new int[] {1, 2, 3, 4, 5}, -2);
    assertRotated(new int[] {2, 3, 1}, new int[] {1, 2, 3}, -10);
  }

  @Test
  void survivesExtremeSteps() {
    assertRotated(new int[] {2, 1}, new int[] {1, 2}, Integer.MAX_VALUE);
    assertRotated(new int[] {2, 3, 1}, new int[] {1, 2, 3}, Integer.MAX_VALUE - 2);
    assertRotated(new int[] {2, 3, 1}, new int[] {1, 2, 3}, Integer.MIN_VALUE + 1);
  }

  @Test
  void leavesEmptyAndSingleAlone() {
    assertRotated(new int[0], new int[0], 5);
    assertRotated(new int[] {9}, new int[] {9}, 5);
  }
}
