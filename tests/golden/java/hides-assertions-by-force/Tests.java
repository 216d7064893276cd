import java.util.*;
import org.junit.jupiter.api.*;

class BagTest {
  @Test
  void holdsOne() {
    Assertions.assertEquals(List.of("one"), new Bag("one").all());
  }
}
