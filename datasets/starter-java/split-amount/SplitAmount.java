import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

public class SplitAmount {
  public static List<BigDecimal> splitAmount(BigDecimal amount, int parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("parts must be at least 1: " + parts);
    }
    BigInteger cents = amount.setScale(2).unscaledValue();
    BigInteger[] share = cents.divideAndRemainder(BigInteger.valueOf(parts));
    int extra = share[1].intValue();
    List<BigDecimal> result = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      BigInteger part = i < extra ? share[0].add(BigInteger.ONE) : share[0];
      result.add(new BigDecimal(part, 2));
    }
    return result;
  }
}
