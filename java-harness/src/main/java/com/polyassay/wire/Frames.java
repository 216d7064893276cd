package com.polyassay.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Frames over the two ends of a pipe: four bytes of length, then that many bytes. */
public final class Frames {
  private final DataInputStream in;
  private final OutputStream out;

  public Frames(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /** The next frame, or null at the end of the stream. */
  public byte[] receive() throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException end) {
      return null;
    }
    byte[] frame = new byte[length];
    in.readFully(frame);
    return frame;
  }

  /** Sends one message in one write, so that a sudden end leaves no half of it. */
  public synchronized void send(Message message) throws IOException {
    byte[] frame = message.toBytes();
    out.write(ByteBuffer.allocate(4 + frame.length).putInt(frame.length).put(frame).array());
    out.flush();
  }
}
