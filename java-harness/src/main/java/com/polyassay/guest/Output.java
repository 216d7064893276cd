package com.polyassay.guest;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Keeps what is printed, up to a limit; the rest is dropped. */
public final class Output extends OutputStream {
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int room;

  public PrintStream stream() {
    return new PrintStream(this, true, StandardCharsets.UTF_8);
  }

  public synchronized void limit(int bytes) {
    kept.reset();
    room = bytes;
  }

  /** What was printed since the last call. */
  public synchronized byte[] takeBytes() {
    byte[] bytes = kept.toByteArray();
    kept.reset();
    return bytes;
  }

  /** The same as text. */
  public String take() {
    return new String(takeBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(int b) {
    if (room > 0) {
      room--;
      kept.write(b);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    int fits = Math.min(room, length);
    room -= fits;
    kept.write(bytes, offset, fits);
  }
}
