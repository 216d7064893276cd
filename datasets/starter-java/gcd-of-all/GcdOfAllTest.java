import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class GcdOfAllTest {
  @Test
  public void dividesTwoNumbers() {
    assertEquals(6, GcdOfAll.gcd(54, 24));
  }

  @Test
  public void dividesManyNumbers() {
    assertEquals(7, GcdOfAll.gcd(21, 140, 98, 49));
  }

  @Test
  public void primesShareOnlyOne() {
    assertEquals(1, GcdOfAll.gcd(17, 31, 59));
  }

  @Test
  public void singleNumberIsItsOwnDivisor() {
    assertEquals(12, GcdOfAll.gcd(12));
    assertEquals(12, GcdOfAll.gcd(-12));
  }

  @Test
  public void ignoresSigns() {
    assertEquals(5, GcdOfAll.gcd(-15, 20, -35));
  }

  @Test
  public void ignoresZeros() {
    assertEquals(4, GcdOfAll.gcd(0, 8, 0, 12));
    assertEquals(9, GcdOfAll.gcd(9, 0));
  }

  @Test
  public void nothingGivesZero() {
    assertEquals(0, GcdOfAll.gcd());
    assertEquals(0, GcdOfAll.gcd(0, 0));
  }

  @Test
  public void handlesLargeNumbers() {
    assertEquals(1_000_000_007L, GcdOfAll.gcd(3_000_000_021L, 7_000_000_049L));
  }
}
