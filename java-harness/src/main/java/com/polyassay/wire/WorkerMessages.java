package com.polyassay.wire;

import java.util.List;
import java.util.Map;

/**
 * Messages between the runner and a worker JVM, which holds a candidate.
 *
 * <p>The worker says {@link TestMessages.Ready} once. {@link Load} has no answer. {@link
 * AskCandidate} and {@link Leave} carry a number that cannot be guessed and that their answers
 * repeat: what a candidate wrote before it was asked is no answer.
 */
public final class WorkerMessages {
  private WorkerMessages() {}

  /** What the runner sends. */
  public sealed interface ToWorker extends Message {
    static ToWorker read(byte[] message) {
      MessageReader in = new MessageReader(message);
      String name = in.text();
      return switch (name) {
        case "Load" -> new Load(in.text(), in.text(), in.number(), in.blobs());
        case "AskCandidate" -> new AskCandidate(in.blob(), in.blob());
        case "Leave" -> new Leave(in.blob());
        default -> throw MessageReader.unknown(name);
      };
    }
  }

  /**
   * Takes in a candidate.
   *
   * @param className the candidate's class that the task asks for
   * @param adapterName the class that calls its method as the signature says
   * @param outputLimit how many bytes of what it prints are kept
   * @param classes binary name to class file
   */
  public record Load(
      String className, String adapterName, int outputLimit, Map<String, byte[]> classes)
      implements ToWorker {
    @Override
    public void writeTo(MessageWriter out) {
      out.text(className).text(adapterName).number(outputLimit).blobs(classes);
    }
  }

  /**
   * Carries out a call.
   *
   * @param call a {@link CallMessages.Call} of the judge's
   */
  public record AskCandidate(byte[] number, byte[] call) implements ToWorker {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(number).blob(call);
    }
  }

  /** Lets go of the candidate. */
  public record Leave(byte[] number) implements ToWorker {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(number);
    }
  }

  /**
   * What became of a call.
   *
   * @param output what was printed since the last answer, for the runner
   * @param answer a {@link CallMessages.Answer}, for the judge
   */
  public record CandidateAnswered(byte[] number, String output, byte[] answer) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(number).text(output).blob(answer);
    }
  }

  /**
   * The candidate is out.
   *
   * @param changes what it changed that the next candidate would see, in words
   */
  public record Left(byte[] number, List<String> changes) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blob(number).texts(changes);
    }
  }
}
