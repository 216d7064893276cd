package com.polyassay.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/**
 * Writes the fields of one message: numbers big-endian, texts and bytes with their length before
 * them.
 */
public final class MessageWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  MessageWriter number(int value) {
    return write(() -> out.writeInt(value));
  }

  MessageWriter real(double value) {
    return write(() -> out.writeDouble(value));
  }

  MessageWriter flag(boolean value) {
    return write(() -> out.writeBoolean(value));
  }

  MessageWriter blob(byte[] value) {
    return write(
        () -> {
          out.writeInt(value.length);
          out.write(value);
        });
  }

  MessageWriter text(String value) {
    return blob(value.getBytes(StandardCharsets.UTF_8));
  }

  MessageWriter texts(Collection<String> values) {
    number(values.size());
    values.forEach(this::text);
    return this;
  }

  MessageWriter blobs(Map<String, byte[]> values) {
    number(values.size());
    values.forEach((name, value) -> text(name).blob(value));
    return this;
  }

  MessageWriter sources(Map<String, String> values) {
    number(values.size());
    values.forEach((path, source) -> text(path).text(source));
    return this;
  }

  /** A message may hold a list of smaller ones, each of which writes its own fields. */
  MessageWriter parts(Collection<? extends Message> values) {
    number(values.size());
    values.forEach(value -> value.writeTo(this));
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  private MessageWriter write(Write write) {
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
