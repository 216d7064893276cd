import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitAmountTest {
  private static void assertSplit(String amount, String... expected) {
    List<BigDecimal> parts = new ArrayList<>();
    for (String part : expected) {
      parts.add(new BigDecimal(part));
    }
    assertEquals(parts, SplitAmount.splitAmount(new BigDecimal(amount), expected.length));
  }

  @Test
  void splitsEvenly() {
    assertSplit("9.00", "3.00", "3.00", "3.00");
  }

  @Test
  void firstPartsGetTheCents() {
    assertSplit("10.00", "3.34", "3.33", "3.33");
    assertSplit("0.05", "0.02", "0.02", "0.01");
  }

  @Test
  void alwaysHasTwoDecimals() {
    assertSplit("7", "3.50", "3.50");
    assertSplit("1.5", "0.50", "0.50", "0.50");
  }

  @Test
  void onePartIsTheAmount() {
    assertSplit("12.34", "12.34");
  }

  @Test
  void fewerCentsThanParts() {
    assertSplit("0.02", "0.01", "0.01", "0.00", "0.00");
  }

  @Test
  void staysExactForLargeAmounts() {
    assertSplit("90071992547409930000.01", "45035996273704965000.01", "45035996273704965000.00");
  }

  @Test
  void rejectsLessThanOnePart() {
    assertThrows(IllegalArgumentException.class, () -> SplitAmount.splitAmount(BigDecimal.TEN, 0));
    assertThrows(IllegalArgumentException.class, () -> SplitAmount.splitAmount(BigDecimal.TEN, -3));
  }
}
