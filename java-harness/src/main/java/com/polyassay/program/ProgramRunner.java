package com.polyassay.program;

import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Output;
import com.polyassay.guest.Scratch;
import com.polyassay.guest.StandardStreams;
import com.polyassay.wire.Frames;
import com.polyassay.wire.ProgramMessages.ProgramEnded;
import com.polyassay.wire.ProgramMessages.RunProgram;
import com.polyassay.wire.TestMessages.Ready;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/**
 * The JVM that runs a candidate as a whole program, once: standard input in, standard output out.
 *
 * <p>The JVM ends as it would for any program: when the last thread that is no daemon ends, or when
 * the program asks for it. What was printed is sent as it ends, and its exit status is the
 * program's. The expected output is not here: the runner compares.
 */
public final class ProgramRunner {
  private static final int ERROR_BYTES = 64 << 10;

  private ProgramRunner() {}

  /** Arguments: the jars of libraries. */
  public static void main(String[] arguments) throws Throwable {
    Scratch scratch = Scratch.ours();
    Output out = new Output();
    Output err = new Output();
    Frames frames = StandardStreams.take(out);
    System.setErr(err.stream());
    frames.send(new Ready());
    byte[] frame = frames.receive();
    if (frame == null) {
      return;
    }
    RunProgram program = RunProgram.read(frame);
    out.limit(program.outputLimit());
    err.limit(ERROR_BYTES);
    scratch.reset(program.files());
    System.setIn(new ByteArrayInputStream(program.stdin()));
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> report(frames, program.nonce(), out, err)));
    run(new CandidateLoader(program.classes(), List.of(arguments)), program.className());
  }

  private static void run(CandidateLoader loader, String className) throws Throwable {
    Thread.currentThread().setContextClassLoader(loader);
    Method main = loader.loadClass(className).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    try {
      main.invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause(); // which the JVM prints, and ends with status 1
    }
  }

  private static void report(Frames frames, byte[] nonce, Output out, Output err) {
    try {
      frames.send(new ProgramEnded(nonce, out.takeBytes(), err.take()));
    } catch (IOException e) {
      Runtime.getRuntime().halt(1); // the runner is gone
    }
  }
}
