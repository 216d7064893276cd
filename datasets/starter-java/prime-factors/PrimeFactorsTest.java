import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrimeFactorsTest {
  @Test
  void repeatsFactors() {
    assertEquals(List.of(2L, 2L, 3L), PrimeFactors.primeFactors(12));
    assertEquals(List.of(2L, 2L, 2L, 2L, 2L, 2L), PrimeFactors.primeFactors(64));
  }

  @Test
  void primeIsItsOnlyFactor() {
    assertEquals(List.of(2L), PrimeFactors.primeFactors(2));
    assertEquals(List.of(97L), PrimeFactors.primeFactors(97));
  }

  @Test
  void factorsSquareOfPrime() {
    assertEquals(List.of(7L, 7L), PrimeFactors.primeFactors(49));
  }

  @Test
  void sortsFactors() {
    assertEquals(List.of(2L, 3L, 3L, 5L, 11L), PrimeFactors.primeFactors(990));
  }

  @Test
  void findsFactorBeyondInt() {
    assertEquals(List.of(2L, 3L, 10_000_000_019L), PrimeFactors.primeFactors(60_000_000_114L));
  }

  @Test
  void findsTwoLargeFactors() {
    assertEquals(List.of(99_991L, 99_991L), PrimeFactors.primeFactors(9_998_200_081L));
  }

  @Test
  void rejectsNumbersBelowTwo() {
    assertThrows(IllegalArgumentException.class, () -> PrimeFactors.primeFactors(1));
    assertThrows(IllegalArgumentException.class, () -> PrimeFactors.primeFactors(0));
    assertThrows(IllegalArgumentException.class, () -> PrimeFactors.primeFactors(-6));
  }
}
