import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.Test;

class BagTest {
  @Test
  void holdsOne() {
    assertEquals(List.of("one"), new Bag("one").all());
  }
}
