package com.polyassay.worker;

import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Footprint;
import com.polyassay.guest.GlobalState;
import com.polyassay.guest.Output;
import com.polyassay.guest.Scratch;
import com.polyassay.guest.StandardStreams;
import com.polyassay.guest.Surroundings;
import com.polyassay.guest.Switches;
import com.polyassay.wire.CallMessages.Call;
import com.polyassay.wire.Frames;
import com.polyassay.wire.TestMessages.Ready;
import com.polyassay.wire.WorkerMessages.AskCandidate;
import com.polyassay.wire.WorkerMessages.CandidateAnswered;
import com.polyassay.wire.WorkerMessages.Leave;
import com.polyassay.wire.WorkerMessages.Left;
import com.polyassay.wire.WorkerMessages.Load;
import com.polyassay.wire.WorkerMessages.ToWorker;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The worker JVM: holds a candidate and nothing else, neither tests nor expected values nor a way
 * to report.
 *
 * <p>{@link com.polyassay.wire.WorkerMessages} has what it is told and what it answers.
 */
public final class Worker {
  private static final boolean WITHOUT_FOOTPRINT = Switches.off("footprint");

  private final Frames frames;
  private final Output output;
  private final List<String> jars;
  private final Scratch scratch;
  private GlobalState before;
  private Calls calls;
  private WeakReference<CandidateLoader> classes;
  private Footprint footprint; // what the classes may leave behind

  private Worker(Surroundings own) {
    frames = own.frames();
    output = own.output();
    jars = own.jars();
    scratch = own.scratch();
  }

  /** Arguments: the jars of libraries. */
  public static void main(String[] arguments) throws IOException {
    new Worker(Surroundings.take(arguments)).serve();
    System.exit(0);
  }

  private void serve() throws IOException {
    frames.send(new Ready());
    for (byte[] frame = frames.receive(); frame != null; frame = frames.receive()) {
      ToWorker request = ToWorker.read(frame);
      if (request instanceof Load candidate) {
        load(candidate);
      } else if (request instanceof AskCandidate ask) {
        byte[] answer = calls.answer(Call.read(ask.call())).toBytes();
        frames.send(new CandidateAnswered(ask.number(), output.take(), answer));
      } else if (request instanceof Leave leave) {
        frames.send(new Left(leave.number(), leave()));
      }
    }
  }

  private void load(Load candidate) throws IOException {
    output.limit(candidate.outputLimit());
    StandardStreams.lead(output);
    scratch.reset(Map.of());
    Map<String, byte[]> files = candidate.classes();
    CandidateLoader loader = new CandidateLoader(files, jars);
    classes = new WeakReference<>(loader);
    footprint = Footprint.of(files);
    // To look is of no use where no other candidate follows.
    before = footprint == Footprint.UNKNOWN ? null : GlobalState.now();
    calls = new Calls(loader, candidate.className(), candidate.adapterName());
    Thread.currentThread().setContextClassLoader(loader);
  }

  /**
   * Lets go of the candidate, and says what the next one would see of it.
   *
   * <p>Finalizers, cleaners and whatever else may still act keep the classes that they act with.
   */
  private List<String> leave() throws IOException {
    Thread.currentThread().setContextClassLoader(Worker.class.getClassLoader());
    calls = null;
    closeJars();
    List<String> changes = new ArrayList<>(footprint.changes());
    if (before != null) {
      changes.addAll(before.changes());
    }
    boolean mayLast = WITHOUT_FOOTPRINT || footprint != Footprint.NONE;
    if (changes.isEmpty() && mayLast) {
      System.gc();
      if (classes.get() != null) {
        changes.add("classes still in use");
      }
    }
    return changes;
  }

  /** Apart from the check that follows, because a variable could keep the loader from going. */
  private void closeJars() throws IOException {
    CandidateLoader loader = classes.get();
    if (loader != null) {
      loader.close();
    }
  }
}
