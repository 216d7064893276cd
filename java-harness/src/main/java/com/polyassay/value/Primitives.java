package com.polyassay.value;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/** Arrays of numbers, as their bytes alone: they are the long ones. */
final class Primitives {
  private Primitives() {}

  static void write(Object array, DataOutputStream out) throws IOException {
    int length = Array.getLength(array);
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(length, size(array.getClass().componentType())));
    if (array instanceof int[] ints) {
      bytes.asIntBuffer().put(ints);
    } else if (array instanceof long[] longs) {
      bytes.asLongBuffer().put(longs);
    } else if (array instanceof double[] doubles) {
      bytes.asDoubleBuffer().put(doubles);
    } else if (array instanceof float[] floats) {
      bytes.asFloatBuffer().put(floats);
    } else if (array instanceof char[] chars) {
      bytes.asCharBuffer().put(chars);
    } else if (array instanceof short[] shorts) {
      bytes.asShortBuffer().put(shorts);
    } else if (array instanceof byte[] same) {
      bytes.put(same);
    } else {
      for (boolean each : (boolean[]) array) {
        bytes.put((byte) (each ? 1 : 0));
      }
    }
    out.write(bytes.array());
  }

  /** Fills the array with what comes next; its length has been checked. */
  static void read(Object array, ByteBuffer in) {
    int start = in.position();
    if (array instanceof int[] ints) {
      in.asIntBuffer().get(ints);
    } else if (array instanceof long[] longs) {
      in.asLongBuffer().get(longs);
    } else if (array instanceof double[] doubles) {
      in.asDoubleBuffer().get(doubles);
    } else if (array instanceof float[] floats) {
      in.asFloatBuffer().get(floats);
    } else if (array instanceof char[] chars) {
      in.asCharBuffer().get(chars);
    } else if (array instanceof short[] shorts) {
      in.asShortBuffer().get(shorts);
    } else if (array instanceof byte[] bytes) {
      in.duplicate().get(bytes);
    } else {
      boolean[] flags = (boolean[]) array;
      for (int i = 0; i < flags.length; i++) {
        flags[i] = in.get(start + i) != 0;
      }
    }
    in.position(start + Array.getLength(array) * size(array.getClass().componentType()));
  }

  /** In bytes. */
  static int size(Class<?> type) {
    if (type == long.class || type == double.class) {
      return Long.BYTES;
    }
    if (type == int.class || type == float.class) {
      return Integer.BYTES;
    }
    return type == char.class || type == short.class ? Short.BYTES : Byte.BYTES;
  }
}
