package com.polyassay.execute;

import com.polyassay.apart.Remote;
import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Footprint;
import com.polyassay.guest.GlobalState;
import com.polyassay.guest.Output;
import com.polyassay.guest.Scratch;
import com.polyassay.guest.Surroundings;
import com.polyassay.wire.Frames;
import com.polyassay.wire.Message;
import com.polyassay.wire.TestMessages;
import com.polyassay.wire.TestMessages.CallWorker;
import com.polyassay.wire.TestMessages.Ready;
import com.polyassay.wire.TestMessages.RunTests;
import com.polyassay.wire.TestMessages.TestFinished;
import com.polyassay.wire.TestMessages.TestStarted;
import com.polyassay.wire.TestMessages.TestsEnded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The JVM that runs JUnit tests, inside of the sandbox: as an executor with the candidate beside
 * them, as a judge with a stub in the candidate's place.
 *
 * <p>{@link TestMessages} has what it is told and what it answers. The runner hears of each test as
 * it starts and ends, so that a dead process still shows how far it got. The runner also keeps the
 * time limits, because candidate code could stall this process.
 */
public final class Executor {
  // What JUnit logs would pass for what a candidate prints. Kept, or its level would be forgotten.
  private static final Logger JUNIT = Logger.getLogger("org.junit");

  private final Frames frames;
  private final Output output;
  private final List<String> jars;
  private final Scratch scratch;
  private final TestRun tests = new TestRun();

  private Executor(Surroundings own) {
    frames = own.frames();
    output = own.output();
    jars = own.jars();
    scratch = own.scratch();
  }

  /** Arguments: the jars of libraries. */
  public static void main(String[] arguments) throws IOException {
    Surroundings own = Surroundings.take(arguments);
    JUNIT.setLevel(Level.OFF);
    new Executor(own).serve();
    // Threads that a candidate left behind must not keep the process alive.
    System.exit(0);
  }

  private void serve() throws IOException {
    frames.send(new Ready());
    for (byte[] frame = frames.receive(); frame != null; frame = frames.receive()) {
      run(RunTests.read(frame));
    }
  }

  private void run(RunTests request) throws IOException {
    byte[] nonce = request.nonce();
    output.limit(request.outputLimit());
    scratch.reset(request.files());
    CandidateLoader loader = new CandidateLoader(request.classes(), jars);
    List<String> changes = new ArrayList<>();
    if (request.shared()) {
      Map<String, byte[]> own = new HashMap<>(request.classes());
      own.keySet().retainAll(request.own());
      changes.addAll(Footprint.of(own).changes());
    }
    // To look is a tenth of what a JVM costs, and of no use where no other candidate follows.
    GlobalState before = request.shared() && changes.isEmpty() ? GlobalState.now() : null;
    Remote.connect(call -> ask(new CallWorker(nonce, call)), loader);
    tests.run(loader, request.testClasses(), request.names(), request.vintage(), resultsOf(nonce));
    // Calls of threads that tests left behind go nowhere from now on.
    Remote.connect(null, null);
    loader.close();
    if (before != null) {
      changes.addAll(before.changes());
    }
    send(new TestsEnded(nonce, changes, output.take()));
  }

  private Results resultsOf(byte[] nonce) {
    return new Results() {
      @Override
      public void started(String name) {
        send(new TestStarted(nonce, name));
      }

      @Override
      public void finished(String name, Result result) {
        send(
            new TestFinished(
                nonce,
                name,
                result.status(),
                result.type(),
                result.message(),
                result.source(),
                result.owner(),
                result.line(),
                result.seconds(),
                output.take()));
      }
    };
  }

  /** Has the runner ask the worker; null where the worker is gone. */
  private byte[] ask(CallWorker call) {
    send(call);
    try {
      byte[] answer = frames.receive();
      return answer == null ? null : TestMessages.readAnswer(answer);
    } catch (IOException e) {
      return null;
    }
  }

  private void send(Message message) {
    try {
      frames.send(message);
    } catch (IOException e) {
      // The runner is gone.
      Runtime.getRuntime().halt(1);
    }
  }
}
