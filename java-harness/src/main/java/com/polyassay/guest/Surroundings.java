package com.polyassay.guest;

import com.polyassay.wire.Frames;
import java.io.IOException;
import java.util.List;

/**
 * What a sandboxed JVM that serves requests has: taken once, before candidate code can.
 *
 * @param frames to and from the runner
 * @param output what candidate code prints
 * @param scratch the working directory
 * @param jars of libraries
 */
public record Surroundings(Frames frames, Output output, Scratch scratch, List<String> jars) {

  /** The arguments of the command line are the jars. */
  public static Surroundings take(String[] arguments) throws IOException {
    Scratch scratch = Scratch.ours();
    Output output = new Output();
    return new Surroundings(StandardStreams.take(output), output, scratch, List.of(arguments));
  }
}
