import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class ReaderTest {
  @Test
  void hasItsCause() {
    RuntimeException e = assertThrows(IllegalArgumentException.class, () -> Reader.read("x"));
    assertSame(NumberFormatException.class, e.getCause().getClass());
  }

  @Test
  void hasTheCauseOfItsCause() {
    RuntimeException e = assertThrows(UncheckedIOException.class, () -> Reader.read(""));
    assertSame(IOException.class, e.getCause().getClass());
    assertEquals("empty", e.getCause().getCause().getMessage());
  }

  @Test
  void hasNone() {
    assertNull(assertThrows(NullPointerException.class, () -> Reader.read(null)).getCause());
  }
}
