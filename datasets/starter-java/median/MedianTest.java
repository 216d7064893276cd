import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MedianTest {
  @Test
  void oddCountTakesTheMiddle() {
    assertEquals(4.0, Median.median(new double[] {9, 1, 4}));
  }

  @Test
  void evenCountTakesTheMean() {
    assertEquals(2.5, Median.median(new double[] {4, 1, 3, 2}));
  }

  @Test
  void singleValueIsItsMedian() {
    assertEquals(-7.25, Median.median(new double[] {-7.25}));
  }

  @Test
  void toleratesOutliersAndNegatives() {
    assertEquals(-1.0, Median.median(new double[] {-1e12, -1, 1e12, -5, 0}));
  }

  @Test
  void keepsFractionOfMean() {
    assertEquals(0.75, Median.median(new double[] {1.0, 0.5}), 1e-12);
  }

  @Test
  void leavesArrayUnchanged() {
    double[] values = {3, 1, 2};
    assertEquals(2.0, Median.median(values));
    assertArrayEquals(new double[] {3, 1, 2}, values);
  }

  @Test
  void rejectsEmptyArray() {
    assertThrows(IllegalArgumentException.class, () -> Median.median(new double[0]));
  }
}
