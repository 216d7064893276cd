package com.polyassay.wire;

import java.util.Map;

/**
 * Messages between the runner and a JVM that runs a candidate as a whole program.
 *
 * <p>The JVM says {@link TestMessages.Ready}, takes one {@link RunProgram}, says {@link
 * ProgramEnded} and ends.
 */
public final class ProgramMessages {
  private ProgramMessages() {}

  /**
   * Runs a program.
   *
   * @param className the class that has the main method
   * @param outputLimit how many bytes of standard output are kept
   * @param files of the working directory: path to content
   * @param classes binary name to class file
   */
  public record RunProgram(
      byte[] nonce,
      String className,
      byte[] stdin,
      int outputLimit,
      Map<String, byte[]> files,
      Map<String, byte[]> classes)
      implements Message {

    public static RunProgram read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("RunProgram");
      return new RunProgram(in.blob(), in.text(), in.blob(), in.number(), in.blobs(), in.blobs());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).text(className).blob(stdin).number(outputLimit).blobs(files).blobs(classes);
    }
  }

  /** The program ends; its exit status is that of the JVM. */
  public record ProgramEnded(byte[] nonce, byte[] stdout, String stderr) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).blob(stdout).text(stderr);
    }
  }
}
