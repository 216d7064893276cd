import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ReadUnsignedIntTest {
  @Test
  void lowestByteComesFirst() {
    assertEquals(0x04030201L, ReadUnsignedInt.readUnsignedInt(new byte[] {1, 2, 3, 4}, 0));
  }

  @Test
  void readsFromOffset() {
    assertEquals(258L, ReadUnsignedInt.readUnsignedInt(new byte[] {99, 99, 2, 1, 0, 0, 99}, 2));
  }

  @Test
  void bytesAreUnsigned() {
    assertEquals(200L, ReadUnsignedInt.readUnsignedInt(new byte[] {(byte) 200, 0, 0, 0}, 0));
    assertEquals(0xFF00L, ReadUnsignedInt.readUnsignedInt(new byte[] {0, -1, 0, 0}, 0));
  }

  @Test
  void resultIsUnsigned() {
    assertEquals(4_294_967_295L, ReadUnsignedInt.readUnsignedInt(new byte[] {-1, -1, -1, -1}, 0));
    assertEquals(2_147_483_648L, ReadUnsignedInt.readUnsignedInt(new byte[] {0, 0, 0, -128}, 0));
  }

  @Test
  void readsLastFourBytes() {
    assertEquals(7L, ReadUnsignedInt.readUnsignedInt(new byte[] {1, 1, 1, 1, 7, 0, 0, 0}, 4));
  }

  @Test
  void rejectsReadBeyondEnd() {
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> ReadUnsignedInt.readUnsignedInt(new byte[] {1, 2, 3, 4}, 1));
  }

  @Test
  void rejectsNegativeOffset() {
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> ReadUnsignedInt.readUnsignedInt(new byte[] {1, 2, 3, 4, 5}, -1));
  }
}
