package com.polyassay.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** Writes one message: numbers big-endian, texts and bytes with their length before them. */
public final class Message {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  public Message number(int value) {
    return write(() -> out.writeInt(value));
  }

  public Message real(double value) {
    return write(() -> out.writeDouble(value));
  }

  public Message flag(boolean value) {
    return write(() -> out.writeBoolean(value));
  }

  public Message blob(byte[] value) {
    return write(
        () -> {
          out.writeInt(value.length);
          out.write(value);
        });
  }

  public Message text(String value) {
    return blob(value.getBytes(StandardCharsets.UTF_8));
  }

  public Message texts(Collection<String> values) {
    number(values.size());
    values.forEach(this::text);
    return this;
  }

  public Message blobs(Map<String, byte[]> values) {
    number(values.size());
    values.forEach((name, value) -> text(name).blob(value));
    return this;
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  private Message write(Write write) {
    try {
      write.run();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return this;
  }

  private interface Write {
    void run() throws IOException;
  }
}
