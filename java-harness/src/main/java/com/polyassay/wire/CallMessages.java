package com.polyassay.wire;

import java.util.List;

/**
 * Messages between a judge and a worker. They cross the runner, which only moves their bytes.
 *
 * <p>Values inside of them are written by {@code com.polyassay.value}.
 */
public final class CallMessages {
  /** How many exceptions cross, each the cause of the one before. */
  public static final int CAUSE_LIMIT = 10;

  private CallMessages() {}

  /**
   * A call of the candidate's method, or of its constructor.
   *
   * @param constructs whether an object is to be made; the target says nothing then
   * @param target the number of the object whose method is called, or -1 for a static method
   * @param arguments that many values
   */
  public record Call(boolean constructs, int target, int argumentCount, byte[] arguments)
      implements Message {

    public static Call read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("Call");
      return new Call(in.flag(), in.number(), in.number(), in.blob());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.flag(constructs).number(target).number(argumentCount).blob(arguments);
    }
  }

  /**
   * What a call returned or threw.
   *
   * @param thrown the exception and its causes; empty where the call returned
   * @param owner the candidate's class in which it was thrown, or empty
   * @param source the file of that class
   * @param values the arguments that were changed, and what was returned
   */
  public record Answer(List<Thrown> thrown, String owner, String source, int line, byte[] values)
      implements Message {

    public static Answer read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("Answer");
      List<Thrown> thrown = in.parts(CAUSE_LIMIT, Thrown::read);
      return new Answer(thrown, in.text(), in.text(), in.number(), in.blob());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.parts(thrown).text(owner).text(source).number(line).blob(values);
    }
  }

  /**
   * One exception.
   *
   * @param classes the names of its class and of those that it extends; empty where its value
   *     cannot be read
   * @param hasMessage whether the message is one, or null
   */
  public record Thrown(List<String> classes, boolean hasMessage, String message)
      implements Message {

    static Thrown read(MessageReader in) {
      return new Thrown(in.texts(), in.flag(), in.text());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.texts(classes).flag(hasMessage).text(message);
    }
  }
}
