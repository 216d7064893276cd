package com.polyassay.value;

/** Boxed numbers, whose identity tests can see: small ones are shared, others are not. */
final class Boxes {
  private Boxes() {}

  static boolean isBox(Object value) {
    return value instanceof Number && value.getClass().getPackageName().equals("java.lang")
        || value instanceof Character;
  }

  /** Whether the JDK gives this very object to all who box the value. */
  static boolean isShared(Object box) {
    return box == boxed(box);
  }

  /** An object of its own, of the same value. */
  @SuppressWarnings("removal") // nothing else makes another object of a small number
  static Object fresh(Object box) {
    if (!isShared(box)) {
      return box;
    }
    if (box instanceof Integer value) {
      return new Integer(value);
    }
    if (box instanceof Long value) {
      return new Long(value);
    }
    if (box instanceof Short value) {
      return new Short(value);
    }
    if (box instanceof Byte value) {
      return new Byte(value);
    }
    if (box instanceof Character value) {
      return new Character(value);
    }
    throw new IllegalArgumentException("a value is no number");
  }

  private static Object boxed(Object box) {
    if (box instanceof Integer value) {
      return Integer.valueOf(value.intValue());
    }
    if (box instanceof Long value) {
      return Long.valueOf(value.longValue());
    }
    if (box instanceof Short value) {
      return Short.valueOf(value.shortValue());
    }
    if (box instanceof Byte value) {
      return Byte.valueOf(value.byteValue());
    }
    if (box instanceof Character value) {
      return Character.valueOf(value.charValue());
    }
    return box instanceof Number ? null : box;
  }
}
