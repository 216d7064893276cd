package com.polyassay.compile;

import com.polyassay.compile.Compiled.Finding;
import com.polyassay.wire.Message;
import com.polyassay.wire.MessageReader;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import py4j.GatewayServer;

/**
 * The compile service: speaks py4j on the loopback interface, and ends with its parent.
 *
 * <p>Standard input carries the token in its first line and then nothing: its end is the parent's.
 */
public final class CompileService {
  private static final int KEPT_LAYERS = 512;

  private final LayerCompiler compiler;
  private final double seconds;
  private final Map<Object, Compiled> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, Compiled> eldest) {
              return size() > KEPT_LAYERS;
            }
          });

  CompileService(LayerCompiler compiler, double seconds) {
    this.compiler = compiler;
    this.seconds = seconds;
  }

  /**
   * Compiles layer after layer, and stops at the first that does not compile.
   *
   * <p>Called by the runner; request and answer are messages, because one call with bytes is far
   * cheaper than many with objects.
   */
  public byte[] build(byte[] request) {
    String late = String.format(Locale.ENGLISH, "the compiler did not finish in %.0f s", seconds);
    byte[] tooLate = answer(-1, Compiled.broken(late), List.of(), List.of());
    return Watched.run(() -> buildNow(request), seconds, tooLate);
  }

  private byte[] buildNow(byte[] request) {
    MessageReader in = new MessageReader(request);
    String className = in.text();
    String method = in.text();
    List<String> jars = in.texts();
    int count = in.number();
    List<Map<String, byte[]>> made = new ArrayList<>();
    Map<String, byte[]> earlier = Map.of();
    Set<String> own = Set.of(); // the candidate's classes beside the one that is asked for
    for (int i = 0; i < count; i++) {
      Layer layer = new Layer(texts(in.blobs()), in.flag(), in.flag(), jars);
      Compiled compiled = compileNarrowly(layer, earlier, own);
      if (!compiled.good()) {
        List<String> found = compiler.methods(className, method, earlier, jars);
        return answer(i, compiled, found, List.of());
      }
      made.add(compiled.classes());
      if (compiled.classes().containsKey(className)) {
        own = new HashSet<>(compiled.classes().keySet());
        own.removeIf(name -> name.equals(className) || name.startsWith(className + "$"));
      }
      earlier = LayerCompiler.joined(earlier, compiled.classes());
    }
    return answer(-1, Compiled.broken(""), List.of(), made);
  }

  /** What a task's candidates are checked with, and what its judge runs. */
  public byte[] plan(byte[] request) {
    MessageReader in = new MessageReader(request);
    Plan.Facts task =
        new Plan.Facts(
            in.text(), in.text(), in.text(), in.text(), texts(in.blobs()), in.text(), in.texts());
    Compiled support = compile(new Layer(task.support(), true, true, task.jars()), Map.of());
    Plan plan = Plan.of(task, support, compiler);
    Message out =
        new Message().text(plan.adapterName()).text(plan.adapter()).flag(plan.supportFirst());
    return out.text(plan.together())
        .blobs(plan.classes())
        .texts(plan.testClasses())
        .blob(plan.adapterClass())
        .toBytes();
  }

  /**
   * Shows a layer nothing of the candidate but the class that is asked for, where that is enough.
   *
   * <p>A List of the candidate's would hide the one that tests import with all of java.util.
   */
  private Compiled compileNarrowly(Layer layer, Map<String, byte[]> earlier, Set<String> own) {
    if (!own.isEmpty()) {
      Map<String, byte[]> shown = new LinkedHashMap<>(earlier);
      shown.keySet().removeAll(own);
      Compiled compiled = compile(layer, shown);
      if (compiled.good()) {
        return compiled;
      }
    }
    return compile(layer, earlier);
  }

  private Compiled compile(Layer layer, Map<String, byte[]> earlier) {
    if (!layer.kept()) {
      return compiler.compile(layer, earlier);
    }
    // Only a first layer is kept: it has nothing before it that could differ.
    Compiled known = kept.get(layer);
    if (known == null) {
      known = compiler.compile(layer, earlier);
      kept.put(layer, known);
    }
    return known;
  }

  private static byte[] answer(
      int failed, Compiled why, List<String> found, List<Map<String, byte[]>> made) {
    Message out = new Message().number(failed).text(why.problem());
    out.number(why.diagnostics().size());
    for (Finding each : why.diagnostics()) {
      out.text(each.source()).number((int) each.line()).number((int) each.column());
      out.text(each.code()).text(each.message());
    }
    out.texts(found).number(made.size());
    made.forEach(out::blobs);
    return out.toBytes();
  }

  private static Map<String, String> texts(Map<String, byte[]> blobs) {
    Map<String, String> texts = new LinkedHashMap<>();
    blobs.forEach((name, bytes) -> texts.put(name, new String(bytes, StandardCharsets.UTF_8)));
    return texts;
  }

  /** Arguments: the largest output in bytes, CPU seconds a build, then the jars of JUnit. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String token = in.readLine();
    List<File> junit = new ArrayList<>();
    for (int i = 2; i < arguments.length; i++) {
      junit.add(new File(arguments[i]));
    }
    CompileService service =
        new CompileService(
            new LayerCompiler(junit, Integer.parseInt(arguments[0])),
            Double.parseDouble(arguments[1]));
    GatewayServer server =
        new GatewayServer.GatewayServerBuilder(service).javaPort(0).authToken(token).build();
    server.start();
    System.out.println(server.getListeningPort());
    System.out.flush();
    while (in.read() >= 0) {
      // Only its end says something.
    }
    Runtime.getRuntime().halt(0);
  }
}
