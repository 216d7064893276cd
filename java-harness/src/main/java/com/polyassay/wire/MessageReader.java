package com.polyassay.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads what {@link MessageWriter} writes; a malformed message is a runtime exception. */
public final class MessageReader {
  private final ByteBuffer in;

  public MessageReader(byte[] message) {
    this.in = ByteBuffer.wrap(message);
  }

  /** Reads the name of a message of which only one kind can come here. */
  MessageReader expect(String name) {
    String found = text();
    if (!found.equals(name)) {
      throw unknown(found);
    }
    return this;
  }

  static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException("a message " + name + " is not known here");
  }

  int number() {
    return in.getInt();
  }

  double real() {
    return in.getDouble();
  }

  boolean flag() {
    return in.get() != 0;
  }

  byte[] blob() {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a length of " + length + " does not fit its message");
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }

  String text() {
    return new String(blob(), StandardCharsets.UTF_8);
  }

  List<String> texts() {
    return parts(Integer.MAX_VALUE, MessageReader::text);
  }

  Map<String, byte[]> blobs() {
    Map<String, byte[]> values = new LinkedHashMap<>();
    for (int left = in.getInt(); left > 0; left--) {
      values.put(text(), blob());
    }
    return values;
  }

  Map<String, String> sources() {
    Map<String, String> values = new LinkedHashMap<>();
    for (int left = in.getInt(); left > 0; left--) {
      values.put(text(), text());
    }
    return values;
  }

  <T> List<T> parts(int limit, Function<MessageReader, T> read) {
    int count = in.getInt();
    if (count < 0 || count > limit) {
      throw new IllegalArgumentException("a count of " + count + " does not fit its message");
    }
    List<T> values = new ArrayList<>();
    for (int left = count; left > 0; left--) {
      values.add(read.apply(this));
    }
    return values;
  }
}
