package com.polyassay.value;

import java.lang.reflect.Array;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * Makes fresh objects of what {@link ValueWriter} wrote.
 *
 * <p>The bytes may be a candidate's: every length is checked against what is left of them, and only
 * classes from fixed tables are ever made.
 */
public final class ValueReader {
  static final int FIXED_LIMIT = 10_000;
  private static final int DEPTH = 1000;

  private final ByteBuffer in;
  private final Handles handles;
  private final List<Object> known;
  private int depth;

  public ValueReader(byte[] bytes, Handles handles, List<Object> knownBefore) {
    this.in = ByteBuffer.wrap(bytes);
    this.handles = handles;
    this.known = new ArrayList<>(knownBefore);
  }

  /** What can be changed of all that was read, by its number. */
  public List<Object> known() {
    return known;
  }

  public Object read() {
    if (++depth > DEPTH) {
      throw new IllegalArgumentException("a value is nested too deeply");
    }
    try {
      return make(Tag.values()[in.get()], true);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a value is cut off", e);
    } finally {
      depth--;
    }
  }

  /** Gives a known object the content that follows. */
  public void readContentInto(Object target) {
    Object fresh = make(Tag.values()[in.get()], false);
    if (target instanceof StringBuilder builder) {
      builder.setLength(0);
      builder.append(fresh);
    } else if (target instanceof StringBuffer buffer) {
      buffer.setLength(0);
      buffer.append(fresh);
    } else if (target instanceof Date date) {
      date.setTime(((Date) fresh).getTime());
    } else if (target.getClass().isArray()) {
      System.arraycopy(fresh, 0, target, 0, Array.getLength(target));
    } else {
      ContainerKind.refill(target, ContainerKind.elements(fresh));
    }
  }

  private Object make(Tag tag, boolean numbered) {
    return switch (tag) {
      case NULL -> null;
      case BOOLEAN -> in.get() != 0;
      case BYTE -> in.get();
      case SHORT -> in.getShort();
      case CHAR -> in.getChar();
      case INT -> in.getInt();
      case LONG -> in.getLong();
      case FLOAT -> in.getFloat();
      case DOUBLE -> in.getDouble();
      case FRESH -> numberFixed(Boxes.fresh(scalar(Tag.values()[in.get()])));
      case STRING -> numberFixed(text());
      case INTERNED -> text().intern();
      case TEXT -> textual();
      case ARRAY -> array(numbered);
      case CONTAINER -> container(numbered);
      case VIEW -> number(ViewKind.values()[in.get()].around(read()), numbered);
      case OPTIONAL -> Optional.ofNullable(read());
      case BUILDER -> number(new StringBuilder(text()), numbered);
      case BUFFER -> number(new StringBuffer(text()), numbered);
      case DATE -> number(new Date(in.getLong()), numbered);
      case KNOWN -> known.get(in.getInt());
      case HANDLE -> handles.objectOf(in.getInt());
    };
  }

  private Object scalar(Tag tag) {
    if (tag.compareTo(Tag.DOUBLE) > 0) {
      throw new IllegalArgumentException("a value is no number");
    }
    return make(tag, false);
  }

  private Object textual() {
    Object value = Texts.read(text(), text());
    return Texts.isFresh(value) ? numberFixed(value) : value;
  }

  private Object array(boolean numbered) {
    Class<?> component = component(text());
    int length = count(component.isPrimitive() ? Primitives.size(component) : 1);
    Object array = number(Array.newInstance(component, length), numbered);
    if (array instanceof Object[] objects) {
      for (int i = 0; i < length; i++) {
        objects[i] = read();
      }
    } else {
      Primitives.read(array, in);
    }
    return array;
  }

  private Object container(boolean numbered) {
    ContainerKind kind = ContainerKind.values()[in.get()];
    Object[] elements = new Object[count(1)];
    Object container = kind.mutable() ? number(kind.make(), numbered) : null;
    for (int i = 0; i < elements.length; i++) {
      elements[i] = read();
    }
    if (container == null) {
      return number(kind.make(elements), numbered);
    }
    ContainerKind.fill(container, elements);
    return container;
  }

  private Object number(Object value, boolean numbered) {
    if (numbered) {
      known.add(value);
    }
    return value;
  }

  /** As {@link ValueWriter} does it, in the same order. */
  private Object numberFixed(Object value) {
    return number(value, known.size() < FIXED_LIMIT);
  }

  private int count(int least) {
    return checked(in.getInt(), least);
  }

  private int checked(int count, int least) {
    if (count < 0 || count > in.remaining() / least) {
      throw new IllegalArgumentException("a count of " + count + " does not fit its message");
    }
    return count;
  }

  private String text() {
    int length = in.getInt();
    if (length < 0) {
      byte[] narrow = new byte[checked(~length, 1)];
      in.get(narrow);
      return new String(narrow, StandardCharsets.ISO_8859_1);
    }
    char[] chars = new char[checked(length, 2)];
    Primitives.read(chars, in);
    return new String(chars);
  }

  private static Class<?> component(String name) {
    for (Class<?> each : PRIMITIVES) {
      if (each.getName().equals(name)) {
        return each;
      }
    }
    String plain = name.replaceFirst("^\\[+", "");
    if (!name.startsWith("java.") && !plain.startsWith("Ljava.") && plain.length() != 1) {
      throw new IllegalArgumentException("an array of " + name + " does not cross");
    }
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("an array of " + name + " does not cross", e);
    }
  }

  private static final List<Class<?>> PRIMITIVES =
      List.of(
          boolean.class,
          byte.class,
          short.class,
          char.class,
          int.class,
          long.class,
          float.class,
          double.class);
}
