import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.junit.Test;

public class TwiceTest {
  @Test
  public void doubles() {
    assertEquals(4, Twice.twice(2));
  }

  @Test(expected = ArithmeticException.class)
  public void refuses() {
    Twice.twice(Integer.MAX_VALUE);
  }

  @Test
  public void isSkipped() {
    assumeTrue(Twice.twice(1) == 3);
  }
}
