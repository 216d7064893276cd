package com.polyassay.service;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Hiding;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.plan.PlanMaker;
import com.polyassay.wire.CompileMessages.BuildLayers;
import com.polyassay.wire.CompileMessages.ClassFiles;
import com.polyassay.wire.CompileMessages.LayersBuilt;
import com.polyassay.wire.CompileMessages.PlanTask;
import com.polyassay.wire.CompileMessages.SourceLayer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import py4j.GatewayServer;

/**
 * The compile service: speaks py4j on the loopback interface, and ends with its parent.
 *
 * <p>Standard input carries the token in its first line and then nothing: its end is the parent's.
 */
public final class CompileService {
  private static final String TOO_LATE = "the compiler did not finish in time";

  private final LayerCompiler compiler;

  CompileService(LayerCompiler compiler) {
    this.compiler = compiler;
  }

  /**
   * Compiles layer after layer, and stops at the first that does not compile.
   *
   * <p>Called by the runner with a {@link BuildLayers}; gives a {@link LayersBuilt}.
   */
  public byte[] build(byte[] request) {
    BuildLayers asked = BuildLayers.read(request);
    double limit = asked.cpuSeconds();
    LayersBuilt tooLate = new LayersBuilt(-1, TOO_LATE, List.of(), List.of(), List.of(), limit);
    return Watched.run(() -> build(asked).taking(Watched.cpuSeconds()), limit, tooLate).toBytes();
  }

  private LayersBuilt build(BuildLayers request) {
    String className = request.className();
    List<ClassFiles> made = new ArrayList<>();
    Map<String, byte[]> earlier = request.given();
    Set<String> own = Set.of(); // the candidate's classes beside the one that is asked for
    for (SourceLayer sources : request.layers()) {
      Layer layer = new Layer(sources.sources(), sources.junit(), request.jars());
      Compiled compiled = compileNarrowly(layer, earlier, own, request.named());
      if (!compiled.good()) {
        List<String> found = compiler.methods(className, request.method(), earlier, layer.jars());
        return new LayersBuilt(
            made.size(), compiled.problem(), compiled.diagnostics(), found, List.of(), 0);
      }
      made.add(new ClassFiles(compiled.classes()));
      if (compiled.classes().containsKey(className)) {
        own = new HashSet<>(compiled.classes().keySet());
        own.removeIf(name -> name.equals(className) || name.startsWith(className + "$"));
      }
      earlier = LayerCompiler.joined(earlier, compiled.classes());
    }
    return new LayersBuilt(-1, "", List.of(), List.of(), made, 0);
  }

  /**
   * Finds out what a task's candidates are checked with, and what its judge runs.
   *
   * <p>Called by the runner with a {@link PlanTask}; gives a {@link
   * com.polyassay.wire.CompileMessages.JudgingPlan}.
   */
  public byte[] plan(byte[] request) {
    PlanTask task = PlanTask.read(request);
    Compiled support = compiler.compile(new Layer(task.support(), true, task.jars()), Map.of());
    return PlanMaker.of(task, support, compiler).toBytes();
  }

  /**
   * Shows a layer nothing of the candidate but the class that is asked for, where that is enough.
   *
   * <p>A List of the candidate's would hide the one that tests import with all of java.util. Where
   * more of the candidate is needed, such a class is still kept out of sight.
   */
  private Compiled compileNarrowly(
      Layer layer, Map<String, byte[]> earlier, Set<String> own, List<String> named) {
    if (own.isEmpty()) {
      return compiler.compile(layer, earlier);
    }
    Map<String, byte[]> shown = new LinkedHashMap<>(earlier);
    shown.keySet().removeAll(own);
    Compiled compiled = compiler.compile(layer, shown);
    if (compiled.good()) {
      return compiled;
    }
    Map<String, byte[]> more = new LinkedHashMap<>(earlier);
    more.keySet().removeAll(Hiding.of(compiler, layer, own, named, shown));
    return compiler.compile(layer, more);
  }

  /** Arguments: the largest output in bytes, then the jars of JUnit. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String token = in.readLine();
    List<File> junit = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      junit.add(new File(arguments[i]));
    }
    CompileService service =
        new CompileService(new LayerCompiler(junit, Integer.parseInt(arguments[0])));
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
