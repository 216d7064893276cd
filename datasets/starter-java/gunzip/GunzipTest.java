import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GunzipTest {
  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static void assertRestored(byte[] plain) throws IOException {
    assertArrayEquals(plain, Gunzip.gunzip(gzip(plain)));
  }

  @Test
  void restoresText() throws IOException {
    assertRestored("kingfisher, \u7fe0\u9e1f".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void restoresEmptyData() throws IOException {
    assertRestored(new byte[0]);
  }

  @Test
  void restoresAllByteValues() throws IOException {
    byte[] plain = new byte[256];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) i;
    }
    assertRestored(plain);
  }

  @Test
  void restoresMoreThanOneBuffer() throws IOException {
    byte[] plain = new byte[100_003];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) (i * 31 ^ i >> 7);
    }
    assertRestored(plain);
  }

  @Test
  void rejectsPlainData() {
    byte[] plain = "this was never compressed".getBytes(StandardCharsets.UTF_8);
    assertThrows(IOException.class, () -> Gunzip.gunzip(plain));
  }

  @Test
  void rejectsCutOffData() throws IOException {
    byte[] packed = gzip("a sentence that is long enough".getBytes(StandardCharsets.UTF_8));
    byte[] half = Arrays.copyOf(packed, packed.length / 2);
    assertThrows(IOException.class, () -> Gunzip.gunzip(half));
  }
}
