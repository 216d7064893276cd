package com.polyassay.program;

import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Output;
import com.polyassay.guest.Scratch;
import com.polyassay.wire.Frames;
import com.polyassay.wire.ProgramMessages.ProgramEnded;
import com.polyassay.wire.ProgramMessages.RunProgram;
import com.polyassay.wire.TestMessages.Ready;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/**
 * The JVM that runs a candidate as a whole program, once: standard input in, standard output out.
 *
 * <p>The JVM ends as it would for any program: when the last thread that is no daemon ends, or when
 * the program asks for it. What was printed is sent as it ends, after all that the program does
 * then, and its exit status is the program's. The expected output is not here: the runner compares.
 *
 * <p>Descriptors 0 and 1 are the program's, as files that the runner's shell has opened: many
 * programs read and write by them and not by System.in and System.out. Frames go by 3 and 4.
 */
public final class ProgramRunner {
  private static final int ERROR_BYTES = 64 << 10;
  private static final String OWN = "/proc/self/fd/";

  private ProgramRunner() {}

  /** Arguments: the jars of libraries. */
  public static void main(String[] arguments) throws Throwable {
    Scratch scratch = Scratch.ours();
    Output err = new Output();
    Frames frames = OwnStreams.frames(3, 4);
    // A handle of our own, because programs may close theirs.
    InputStream printed = new FileInputStream(OWN + 1);
    System.setErr(err.stream());
    frames.send(new Ready());
    byte[] frame = frames.receive();
    if (frame == null) {
      return;
    }
    RunProgram program = RunProgram.read(frame);
    err.limit(ERROR_BYTES);
    scratch.reset(program.files());
    try (OutputStream stdin = new FileOutputStream(OWN + 0)) {
      stdin.write(program.stdin());
    }
    OwnStreams.atTheVeryEnd(() -> report(frames, program, printed, err));
    run(new CandidateLoader(program.classes(), List.of(arguments)), program.className());
  }

  private static void run(CandidateLoader loader, String className) throws Throwable {
    Thread.currentThread().setContextClassLoader(loader);
    Method main = mainOf(loader.loadClass(className));
    main.setAccessible(true);
    try {
      main.invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause(); // which the JVM prints, and ends with status 1
    }
  }

  /** It may be inherited. */
  private static Method mainOf(Class<?> type) throws NoSuchMethodException {
    try {
      return type.getMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      return type.getDeclaredMethod("main", String[].class);
    }
  }

  private static void report(Frames frames, RunProgram program, InputStream printed, Output err) {
    try {
      byte[] out = printed.readNBytes(program.outputLimit());
      frames.send(new ProgramEnded(program.nonce(), out, err.take()));
    } catch (IOException e) {
      Runtime.getRuntime().halt(1); // the runner is gone
    }
  }
}
