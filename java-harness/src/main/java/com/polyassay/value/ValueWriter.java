package com.polyassay.value;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes plain values, of one call or of its answer, with all their sharing.
 *
 * <p>What can be changed gets a number when it is first written, in the order in which {@link
 * ValueReader} makes it, so that both sides can speak of the same object.
 */
public final class ValueWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final Map<Object, Integer> knownBefore;
  private final Map<Object, Integer> known = new IdentityHashMap<>();
  private final Handles handles;

  public ValueWriter(Handles handles) {
    this(handles, Map.of());
  }

  /** Starts with objects that the other side knows already, as {@link #numbered} gives them. */
  public ValueWriter(Handles handles, Map<Object, Integer> knownBefore) {
    this.handles = handles;
    this.knownBefore = knownBefore;
  }

  /** Objects with their numbers, by identity. */
  public static Map<Object, Integer> numbered(List<Object> objects) {
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    objects.forEach(each -> numbers.put(each, numbers.size()));
    return numbers;
  }

  /** What was written and can be spoken of, by its number; for one that started with nothing. */
  public List<Object> known() {
    Object[] objects = new Object[known.size()];
    known.forEach((object, number) -> objects[number] = object);
    return List.of(objects);
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  public ValueWriter write(Object value) {
    try {
      put(value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return this;
  }

  /** Writes the present content of an object that the other side knows. */
  public ValueWriter writeContent(Object changeable) {
    try {
      putContent(changeable);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return this;
  }

  private void put(Object value) throws IOException {
    Integer number = value == null ? null : numberOf(value);
    if (value == null) {
      tag(Tag.NULL);
    } else if (number != null) {
      tag(Tag.KNOWN).writeInt(number);
    } else if (!putScalar(value)) {
      if (madeEmpty(value)) {
        number(value);
        putContent(value);
      } else {
        putFixed(value);
      }
    }
  }

  private Integer numberOf(Object value) {
    Integer number = known.get(value);
    // Map.of() would compare by equals(), which is a candidate's.
    return number != null || knownBefore.isEmpty() ? number : knownBefore.get(value);
  }

  private void number(Object value) {
    known.put(value, knownBefore.size() + known.size());
  }

  /** Immutable values have an identity as well, but whoever sends masses of them never asks. */
  private void numberFixed(Object value) {
    if (knownBefore.size() + known.size() < ValueReader.FIXED_LIMIT) {
      number(value);
    }
  }

  private boolean putScalar(Object value) throws IOException {
    if (Boxes.isBox(value) && !Boxes.isShared(value)) {
      tag(Tag.FRESH);
      numberFixed(value);
    }
    return putPlain(value);
  }

  private boolean putPlain(Object value) throws IOException {
    if (value instanceof Boolean v) {
      tag(Tag.BOOLEAN).writeBoolean(v);
    } else if (value instanceof Byte v) {
      tag(Tag.BYTE).writeByte(v);
    } else if (value instanceof Short v) {
      tag(Tag.SHORT).writeShort(v);
    } else if (value instanceof Character v) {
      tag(Tag.CHAR).writeChar(v);
    } else if (value instanceof Integer v) {
      tag(Tag.INT).writeInt(v);
    } else if (value instanceof Long v) {
      tag(Tag.LONG).writeLong(v);
    } else if (value instanceof Float v) {
      tag(Tag.FLOAT).writeFloat(v);
    } else if (value instanceof Double v) {
      tag(Tag.DOUBLE).writeDouble(v);
    } else if (value instanceof String v) {
      boolean interned = Texts.isInterned(v);
      tag(interned ? Tag.INTERNED : Tag.STRING);
      putText(v);
      if (!interned) {
        numberFixed(v);
      }
    } else if (Texts.crosses(value)) {
      if (Texts.isFresh(value)) {
        numberFixed(value);
      }
      tag(Tag.TEXT);
      putText(Texts.nameOf(value));
      putText(Texts.textOf(value));
    } else {
      return false;
    }
    return true;
  }

  private void putFixed(Object value) throws IOException {
    ContainerKind kind = ContainerKind.of(value);
    if (kind != null || ViewKind.of(value) != null) {
      putContent(value);
      number(value);
    } else if (value instanceof Optional<?> optional) {
      tag(Tag.OPTIONAL);
      put(optional.orElse(null));
    } else {
      tag(Tag.HANDLE).writeInt(handles.numberOf(value));
    }
  }

  /** Whether its content can change, so that a call may leave it different. */
  public static boolean changeable(Object value) {
    ViewKind view = ViewKind.of(value);
    ContainerKind kind = ContainerKind.of(value);
    return view != null
        ? view.writesThrough()
        : kind != null ? kind.changeable() : madeEmpty(value);
  }

  /** Whether it has a number before its content, which may contain it. */
  private static boolean madeEmpty(Object value) {
    if (value.getClass().isArray()) {
      return crosses(value.getClass().getComponentType());
    }
    ContainerKind kind = ContainerKind.of(value);
    return kind != null
        ? kind.mutable()
        : value.getClass() == StringBuilder.class
            || value.getClass() == StringBuffer.class
            || value.getClass() == Date.class;
  }

  /** Arrays of the JDK's own classes are made again; of others, the class is not known. */
  private static boolean crosses(Class<?> component) {
    Class<?> type = component;
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return type.isPrimitive() || type.getName().startsWith("java.");
  }

  private void putContent(Object value) throws IOException {
    if (value.getClass().isArray()) {
      tag(Tag.ARRAY);
      putText(value.getClass().getComponentType().getName());
      out.writeInt(Array.getLength(value));
      if (value instanceof Object[] array) {
        for (Object each : array) {
          put(each);
        }
      } else {
        Primitives.write(value, out);
      }
    } else if (value instanceof StringBuilder || value instanceof StringBuffer) {
      tag(value instanceof StringBuilder ? Tag.BUILDER : Tag.BUFFER);
      putText(value.toString());
    } else if (value instanceof Date date) {
      tag(Tag.DATE).writeLong(date.getTime());
    } else if (ViewKind.of(value) != null) {
      tag(Tag.VIEW).writeByte(ViewKind.of(value).ordinal());
      put(ViewKind.inside(value));
    } else {
      putContainer(ContainerKind.of(value), value);
    }
  }

  private void putContainer(ContainerKind kind, Object container) throws IOException {
    Object[] elements = ContainerKind.elements(container);
    tag(Tag.CONTAINER).writeByte(kind.ordinal());
    out.writeInt(elements.length);
    for (Object each : elements) {
      put(each);
    }
  }

  /** By code units, because a text may hold half a character; where it can, by bytes. */
  private void putText(String text) throws IOException {
    byte[] narrow = text.getBytes(StandardCharsets.ISO_8859_1);
    if (text.equals(new String(narrow, StandardCharsets.ISO_8859_1))) {
      out.writeInt(~text.length());
      out.write(narrow);
    } else {
      out.writeInt(text.length());
      out.writeChars(text);
    }
  }

  private DataOutputStream tag(Tag tag) throws IOException {
    out.writeByte(tag.ordinal());
    return out;
  }
}
