package com.polyassay.worker;

import com.polyassay.execute.CandidateLoader;
import com.polyassay.execute.GlobalState;
import com.polyassay.execute.Output;
import com.polyassay.execute.Scratch;
import com.polyassay.wire.Frames;
import com.polyassay.wire.Message;
import com.polyassay.wire.MessageReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Holds a candidate and nothing else: no tests, no expected values, no way to report.
 *
 * <p>Frames of three kinds come in: "load" with class files, calls, and "leave", which asks what
 * the candidate changed that the next one would see. Each begins with a number that cannot be
 * guessed, and so does its answer: what a candidate wrote before it was asked is none.
 */
public final class Worker {
  private final Frames frames;
  private final Output output;
  private final List<String> jars;
  private GlobalState before;
  private Calls calls;
  private WeakReference<CandidateLoader> classes;
  private boolean lasting; // whether they may leave anything behind

  private Worker(Frames frames, Output output, List<String> jars) {
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
    new Worker(frames, output, List.of(arguments)).serve();
    System.exit(0);
  }

  private void serve() throws IOException {
    frames.send(new Message().text("ready").toBytes());
    for (byte[] frame = frames.receive(); frame != null; frame = frames.receive()) {
      MessageReader request = new MessageReader(frame);
      byte[] number = request.blob();
      String what = request.text();
      switch (what) {
        case "load" -> load(request);
        case "leave" -> frames.send(new Message().blob(number).texts(leave()).toBytes());
        default -> frames.send(answer(number, calls.answer(what, request)));
      }
    }
  }

  private void load(MessageReader request) throws IOException {
    String className = request.text();
    String adapter = request.text();
    output.limit(request.number());
    Scratch.reset(Path.of(""), Map.of());
    Map<String, byte[]> files = request.blobs();
    CandidateLoader loader = new CandidateLoader(files, jars);
    classes = new WeakReference<>(loader);
    lasting = !Footprint.isNone(files.values(), files.keySet());
    before = GlobalState.now();
    calls = new Calls(loader, className, adapter);
    Thread.currentThread().setContextClassLoader(loader);
  }

  /** Finalizers, cleaners and whatever else may still act keep the classes that they act with. */
  private List<String> leave() throws IOException {
    Thread.currentThread().setContextClassLoader(Worker.class.getClassLoader());
    calls = null;
    closeJars();
    List<String> changes = new ArrayList<>(before.changes());
    if (changes.isEmpty() && lasting) {
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

  /** What was printed goes to the runner, the rest to the judge. */
  private byte[] answer(byte[] number, byte[] payload) {
    return new Message().blob(number).text(output.take()).blob(payload).toBytes();
  }
}
