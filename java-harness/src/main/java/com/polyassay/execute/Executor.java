package com.polyassay.execute;

import com.polyassay.apart.Remote;
import com.polyassay.wire.Frames;
import com.polyassay.wire.Message;
import com.polyassay.wire.MessageReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs candidates and their tests together, inside of the sandbox.
 *
 * <p>The runner sends one frame a candidate and gets one as each test starts and ends, so that a
 * dead process still shows how far it got. Time limits are the runner's: this side can be stalled.
 */
public final class Executor {
  // What JUnit logs would pass for what a candidate prints. Kept, or its level would be forgotten.
  private static final Logger JUNIT = Logger.getLogger("org.junit");

  private final Frames frames;
  private final Output output;
  private final List<String> jars;
  private final TestRun tests = new TestRun();

  private Executor(Frames frames, Output output, List<String> jars) {
    this.frames = frames;
    this.output = output;
    this.jars = jars;
  }

  /** Takes the real streams for itself before anything else can; arguments: libraries' jars. */
  public static void main(String[] arguments) throws IOException {
    Frames frames =
        new Frames(
            new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
    Output output = new Output();
    System.setIn(InputStream.nullInputStream());
    System.setOut(output.stream());
    System.setErr(output.stream());
    JUNIT.setLevel(Level.OFF);
    new Executor(frames, output, List.of(arguments)).serve();
    // Threads that a candidate left behind must not keep the process alive.
    System.exit(0);
  }

  private void serve() throws IOException {
    frames.send(new Message().text("ready").toBytes());
    for (byte[] frame = frames.receive(); frame != null; frame = frames.receive()) {
      run(new MessageReader(frame));
    }
  }

  private void run(MessageReader request) throws IOException {
    byte[] nonce = request.blob();
    List<String> testClasses = request.texts();
    List<String> names = request.texts();
    boolean vintage = request.flag();
    output.limit(request.number());
    Scratch.reset(Path.of(""), request.blobs());
    CandidateLoader loader = new CandidateLoader(request.blobs(), jars);
    GlobalState before = GlobalState.now();
    Remote.connect(call -> ask(new Message().blob(nonce).text("call").blob(call)), loader);
    Results results =
        new Results() {
          @Override
          public void started(String name) {
            send(new Message().blob(nonce).text("started").text(name));
          }

          @Override
          public void finished(String name, Result result) {
            Message out = new Message().blob(nonce).text("finished").text(name);
            out.text(result.status()).text(result.type()).text(result.message());
            out.text(result.source())
                .text(result.owner())
                .number(result.line())
                .real(result.seconds());
            send(out.text(output.take()));
          }
        };
    tests.run(loader, testClasses, names, vintage, results);
    // Threads that tests left behind have nobody to call any more.
    Remote.connect(null, null);
    loader.close();
    Message end = new Message().blob(nonce).text("end");
    send(end.texts(before.changes()).text(output.take()));
  }

  /** Has the worker asked by the runner; an empty answer says that it is gone. */
  private byte[] ask(Message call) {
    send(call);
    try {
      byte[] answer = frames.receive();
      return answer == null || answer.length == 0 ? null : answer;
    } catch (IOException e) {
      return null;
    }
  }

  private void send(Message message) {
    try {
      frames.send(message.toBytes());
    } catch (IOException e) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
