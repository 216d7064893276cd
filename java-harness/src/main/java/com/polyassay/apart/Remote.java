package com.polyassay.apart;

import com.polyassay.value.Handles;
import com.polyassay.value.ValueReader;
import com.polyassay.value.ValueWriter;
import com.polyassay.wire.CallMessages;
import com.polyassay.wire.CallMessages.Answer;
import com.polyassay.wire.CallMessages.Call;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a stub calls in place of the candidate: forwards each call to the worker.
 *
 * <p>It makes fresh plain objects of the answers and throws fresh exceptions; nothing that a worker
 * can send means that a test has passed.
 */
public final class Remote {
  private static Line line;
  private static boolean ended;
  private static ClassLoader loader;
  private static Map<Integer, Foreign> foreign = new HashMap<>();

  private Remote() {}

  /** How frames get to the worker and back; null as an answer means that the worker is gone. */
  public interface Line {
    byte[] ask(byte[] call);
  }

  /** Prepares for another candidate; only the harness has a line. */
  public static synchronized void connect(Line newLine, ClassLoader tests) {
    line = newLine;
    loader = tests;
    ended = false;
    foreign = new HashMap<>();
  }

  /** Makes an object of the candidate's class, and returns its number. */
  public static int make(Object... arguments) throws Throwable {
    return (Integer) ask(true, -1, arguments);
  }

  /** Calls the candidate's method, on the object of that number, or -1 for a static one. */
  public static Object call(int target, Object... arguments) throws Throwable {
    return ask(false, target, arguments);
  }

  private static synchronized Object ask(boolean constructs, int target, Object... arguments)
      throws Throwable {
    if (ended || line == null) {
      throw new WorkerEnded();
    }
    ValueWriter values = new ValueWriter(HANDLES);
    // The array itself is this call's own, and crosses only by its elements.
    for (Object each : arguments) {
      values.write(each);
    }
    Call call = new Call(constructs, target, arguments.length, values.toBytes());
    byte[] answer = line.ask(call.toBytes());
    if (answer == null) {
      ended = true;
      throw new WorkerEnded();
    }
    return read(answer, values.known());
  }

  private static Object read(byte[] message, List<Object> sent) throws Throwable {
    Throwable thrown;
    StackTraceElement place;
    try {
      Answer answer = Answer.read(message);
      thrown = thrown(answer.thrown());
      place = new StackTraceElement(answer.owner(), "", answer.source(), answer.line());
      ValueReader values = new ValueReader(answer.values(), HANDLES, sent);
      int changed = (Integer) values.read();
      for (int i = 0; i < changed; i++) {
        values.readContentInto(sent.get((Integer) values.read()));
      }
      if (thrown == null) {
        return values.read();
      }
    } catch (RuntimeException e) {
      throw new Unreadable(e.getMessage());
    }
    StackTraceElement[] here = thrown.getStackTrace();
    StackTraceElement[] trace = Arrays.copyOf(here, here.length + 1);
    System.arraycopy(here, 0, trace, 1, here.length);
    trace[0] = place;
    thrown.setStackTrace(trace);
    throw thrown;
  }

  /** What was thrown, with its causes; null where nothing was. */
  private static Throwable thrown(List<CallMessages.Thrown> chain) {
    Throwable cause = null;
    for (int i = chain.size() - 1; i >= 0; i--) {
      CallMessages.Thrown each = chain.get(i);
      String message = each.hasMessage() ? each.message() : null;
      cause =
          each.classes().isEmpty()
              ? new Unreadable(message)
              : Exceptions.like(each.classes(), message, cause, loader);
    }
    return cause;
  }

  private static final Handles HANDLES =
      new Handles() {
        @Override
        public int numberOf(Object value) {
          if (value instanceof Foreign known) {
            return known.number;
          }
          throw new Unsent("a value of class " + value.getClass().getName() + " does not cross");
        }

        @Override
        public Object objectOf(int number) {
          return foreign.computeIfAbsent(number, Foreign::new);
        }
      };

  /** An object that stays with the candidate: equal to nothing but itself. */
  private static final class Foreign {
    private final int number;

    Foreign(int number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return "an object of the answer's own class";
    }
  }

  /** What a test gets in place of a value that does not cross; no test expects it. */
  static final class Unreadable extends Error {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  /** For an object of the tests' own, which no candidate chose: they may well catch it. */
  static final class Unsent extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsent(String message) {
      super(message);
    }
  }

  /** Thrown in tests whose worker is gone; the runner has decided about them already. */
  static final class WorkerEnded extends Error {
    private static final long serialVersionUID = 1;

    WorkerEnded() {
      super("the worker has ended");
    }
  }
}
