import java.util.Objects;

public class ReadUnsignedInt {
  public static long readUnsignedInt(byte[] data, int offset) {
    Objects.checkFromIndexSize(offset, 4, data.length);
    long value = 0;
    for (int i = 3; i >= 0; i--) {
      value = value << 8 | data[offset + i] & 0xFF;
    }
    return value;
  }
}
