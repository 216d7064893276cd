package com.polyassay.plan;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.PlanTask;
import java.io.File;
import java.util.List;
import java.util.Map;

/** Tells the runner, which adds a suite, why a task cannot be judged apart. */
public final class Planner {
  private static final int OUTPUT_BYTES = 8 << 20;

  private final LayerCompiler compiler;

  public Planner(List<String> jars) {
    this.compiler = new LayerCompiler(jars.stream().map(File::new).toList(), OUTPUT_BYTES);
  }

  /** Empty where the task can be judged apart. */
  public String whyTogether(
      String className,
      String signature,
      String superclass,
      String context,
      Map<String, String> support,
      String testSource,
      List<String> libraries) {
    PlanTask task =
        new PlanTask(
            className,
            signature,
            superclass,
            context,
            support,
            testSource,
            libraries,
            Map.of(),
            List.of());
    Compiled alone = compiler.compile(new Layer(support, true, libraries), Map.of());
    return PlanMaker.withoutDefects(task, alone, compiler).togetherBecause();
  }
}
