package com.polyassay.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what {@link Message} writes; a malformed message is a runtime exception. */
public final class MessageReader {
  private final ByteBuffer in;

  public MessageReader(byte[] message) {
    this.in = ByteBuffer.wrap(message);
  }

  public int number() {
    return in.getInt();
  }

  public boolean flag() {
    return in.get() != 0;
  }

  public byte[] blob() {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a length of " + length + " does not fit its message");
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }

  public String text() {
    return new String(blob(), StandardCharsets.UTF_8);
  }

  public List<String> texts() {
    int count = in.getInt();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(text());
    }
    return values;
  }

  public Map<String, byte[]> blobs() {
    int count = in.getInt();
    Map<String, byte[]> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String name = text();
      values.put(name, blob());
    }
    return values;
  }
}
