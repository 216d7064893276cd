import java.io.IOException;
import java.io.UncheckedIOException;

public class Reader {
  public static int read(String text) {
    if (text.isEmpty()) {
      throw new UncheckedIOException(new IOException(new IllegalStateException("empty")));
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no number", e);
    }
  }
}
