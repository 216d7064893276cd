package com.polyassay.guest;

import com.polyassay.wire.Frames;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;

/** Standard input and output of a sandboxed JVM, which carry frames and nothing else. */
public final class StandardStreams {
  private StandardStreams() {}

  /** Takes the real streams before candidate code can; that code prints into the output. */
  public static Frames take(Output output) {
    Frames frames =
        new Frames(
            new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
    lead(output);
    return frames;
  }

  /** Makes the streams anew that code finds: one before it may have closed them. */
  public static void lead(Output output) {
    System.setIn(InputStream.nullInputStream());
    System.setOut(output.stream());
    System.setErr(output.stream());
  }
}
