import java.util.ArrayList;
import java.util.List;

public class PrimeFactors {
  public static List<Long> primeFactors(long number) {
    if (number < 2) {
      throw new IllegalArgumentException("number must be at least 2: " + number);
    }
    List<Long> factors = new ArrayList<>();
    long rest = number;
    for (long divisor = 2; divisor * divisor <= rest; divisor++) {
      while (rest % divisor == 0) {
        factors.add(divisor);
        rest /= divisor;
      }
    }
    if (rest > 1) {
      factors.add(rest);
    }
    return factors;
  }
}
