import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTest {
  private final List<Object> values = new ArrayList<>(List.of("a", 1, new PlainTest.Own()));

  static class Own {}

  @Test
  void goesOnAfterEachValue() {
    int plain = 0;
    for (Object each : values) {
      try {
        plain += Plain.isPlain(each) ? 1 : 0;
      } catch (Exception e) {
        // counts as a wrong one
      }
    }
    assertEquals(2, plain);
  }
}
