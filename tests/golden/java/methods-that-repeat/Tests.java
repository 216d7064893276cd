package checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import java.util.stream.Stream;

public class TwiceTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void doublesAll(int n) throws Exception {
    assertEquals(2 * n, Class.forName("Twice").getMethod("twice", int.class).invoke(null, n));
  }

  @TestFactory
  Stream<DynamicTest> doublesEach() throws Exception {
    var twice = Class.forName("Twice").getMethod("twice", int.class);
    return Stream.of(1, 9, 2)
        .map(n -> DynamicTest.dynamicTest("of " + n, () -> assertEquals(2 * n, twice.invoke(null, n))));
  }

  @Test
  void isAssumed() {
    assumeTrue(false);
  }
}
