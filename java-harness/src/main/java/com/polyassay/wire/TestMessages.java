package com.polyassay.wire;

import java.util.List;
import java.util.Map;

/**
 * Messages between the runner and a JVM that runs tests: an executor or a judge.
 *
 * <p>The JVM says {@link Ready} once. Each {@link RunTests} is then answered by a {@link
 * TestStarted} and a {@link TestFinished} for each test, and by one {@link TestsEnded}. A judge
 * also asks {@link CallWorker}, which is answered by {@link WorkerAnswered} or {@link WorkerGone}.
 * The nonce of the request stands in every message that belongs to it, so that a candidate, which
 * does not know it, cannot write one of them.
 */
public final class TestMessages {
  private TestMessages() {}

  /** The JVM is up. */
  public record Ready() implements Message {
    @Override
    public void writeTo(MessageWriter out) {}
  }

  /**
   * Runs the named tests of these classes.
   *
   * @param vintage whether they are JUnit 4 tests
   * @param shared whether the JVM may serve others, and so looks for what they would see
   * @param own which of the classes are the candidate's, by their names
   * @param outputLimit how many bytes of what is printed are kept
   * @param files of the working directory: path to content
   * @param classes binary name to class file
   */
  public record RunTests(
      byte[] nonce,
      List<String> testClasses,
      List<String> names,
      boolean vintage,
      boolean shared,
      List<String> own,
      int outputLimit,
      Map<String, byte[]> files,
      Map<String, byte[]> classes)
      implements Message {

    public static RunTests read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("RunTests");
      return new RunTests(
          in.blob(),
          in.texts(),
          in.texts(),
          in.flag(),
          in.flag(),
          in.texts(),
          in.number(),
          in.blobs(),
          in.blobs());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).texts(testClasses).texts(names).flag(vintage).flag(shared);
      out.texts(own).number(outputLimit).blobs(files).blobs(classes);
    }
  }

  /** A test begins. */
  public record TestStarted(byte[] nonce, String test) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).text(test);
    }
  }

  /**
   * A test has ended.
   *
   * @param status passed, failed, error, skipped or out_of_memory
   * @param type the class of what was thrown, or empty
   * @param source the file of the topmost frame that the candidate or the tests own, or empty
   * @param owner the class of that frame
   * @param output what was printed since the last message
   */
  public record TestFinished(
      byte[] nonce,
      String test,
      String status,
      String type,
      String message,
      String source,
      String owner,
      int line,
      double seconds,
      String output)
      implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).text(test).text(status).text(type).text(message);
      out.text(source).text(owner).number(line).real(seconds).text(output);
    }
  }

  /**
   * All tests of the request have ended.
   *
   * @param changes what they changed that the next candidate would see, in words
   */
  public record TestsEnded(byte[] nonce, List<String> changes, String output) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).texts(changes).text(output);
    }
  }

  /**
   * A judge asks the runner to hand a call to the worker.
   *
   * @param call a {@link CallMessages.Call}, which the runner does not read
   */
  public record CallWorker(byte[] nonce, byte[] call) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(nonce).blob(call);
    }
  }

  /**
   * The worker's answer to a call.
   *
   * @param answer a {@link CallMessages.Answer}, which the runner did not read; a candidate may
   *     have written it
   */
  public record WorkerAnswered(byte[] answer) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(answer);
    }
  }

  /** The worker is gone, and no later call will be answered. */
  public record WorkerGone() implements Message {
    @Override
    public void writeTo(MessageWriter out) {}
  }

  /** The bytes of the worker's answer; null where the worker is gone. */
  public static byte[] readAnswer(byte[] message) {
    MessageReader in = new MessageReader(message);
    String name = in.text();
    return switch (name) {
      case "WorkerAnswered" -> in.blob();
      case "WorkerGone" -> null;
      default -> throw MessageReader.unknown(name);
    };
  }
}
