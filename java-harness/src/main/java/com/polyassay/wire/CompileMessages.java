package com.polyassay.wire;

import java.util.List;
import java.util.Map;

/**
 * Messages between the runner and the compile service, over py4j.
 *
 * <p>A call with bytes is far cheaper there than many calls with objects.
 */
public final class CompileMessages {
  private CompileMessages() {}

  /**
   * Compiles layer after layer, up to the first that does not compile.
   *
   * @param className the class that the task asks for
   * @param method of that class, to be shown where a layer does not compile against it
   * @param named simple names of classes of the candidate's that the task itself names
   * @param jars libraries on the class path of every layer
   * @param given class files that every layer may use: those of the task's support
   * @param cpuSeconds after which the compiler is given up
   */
  public record BuildLayers(
      String className,
      String method,
      List<String> named,
      List<String> jars,
      Map<String, byte[]> given,
      List<SourceLayer> layers,
      double cpuSeconds)
      implements Message {

    public static BuildLayers read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("BuildLayers");
      return new BuildLayers(
          in.text(),
          in.text(),
          in.texts(),
          in.texts(),
          in.blobs(),
          in.parts(Integer.MAX_VALUE, SourceLayer::read),
          in.real());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.text(className).text(method).texts(named).texts(jars).blobs(given);
      out.parts(layers).real(cpuSeconds);
    }
  }

  /**
   * Sources that are compiled together.
   *
   * @param sources path to text
   * @param junit whether JUnit is on its class path
   */
  public record SourceLayer(Map<String, String> sources, boolean junit) implements Message {

    static SourceLayer read(MessageReader in) {
      return new SourceLayer(in.sources(), in.flag());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.sources(sources).flag(junit);
    }
  }

  /**
   * What became of the layers.
   *
   * @param failed the number of the layer that did not compile; -1: all did, or a problem
   * @param problem why the compiler gave up without a diagnostic, or empty
   * @param found declarations of the wanted method, where a later layer did not compile
   * @param cpuSeconds that the compiler took
   */
  public record LayersBuilt(
      int failed,
      String problem,
      List<Diagnostic> diagnostics,
      List<String> found,
      List<ClassFiles> layers,
      double cpuSeconds)
      implements Message {

    public LayersBuilt taking(double cpuSeconds) {
      return new LayersBuilt(failed, problem, diagnostics, found, layers, cpuSeconds);
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.number(failed).text(problem).parts(diagnostics).texts(found).parts(layers);
      out.real(cpuSeconds);
    }
  }

  /** One error, in the compiler's own words. */
  public record Diagnostic(String source, int line, int column, String code, String message)
      implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.text(source).number(line).number(column).text(code).text(message);
    }
  }

  /**
   * What one layer compiled to.
   *
   * @param classes binary name to class file
   */
  public record ClassFiles(Map<String, byte[]> classes) implements Message {
    @Override
    public void writeTo(MessageWriter out) {
      out.blobs(classes);
    }
  }

  /**
   * What is known of a task before any candidate; asks how its candidates are judged.
   *
   * @param superclass of the candidate's class, or empty
   * @param support sources that tests need: path to text
   * @param jars libraries
   * @param reference sources against which the tests should compile, or none
   * @param named simple names of classes of the candidate's that the task itself names
   */
  public record PlanTask(
      String className,
      String signature,
      String superclass,
      String context,
      Map<String, String> support,
      String testSource,
      List<String> jars,
      Map<String, String> reference,
      List<String> named)
      implements Message {

    public static PlanTask read(byte[] message) {
      MessageReader in = new MessageReader(message).expect("PlanTask");
      return new PlanTask(
          in.text(),
          in.text(),
          in.text(),
          in.text(),
          in.sources(),
          in.text(),
          in.texts(),
          in.sources(),
          in.texts());
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.text(className).text(signature).text(superclass).text(context);
      out.sources(support).text(testSource).texts(jars).sources(reference).texts(named);
    }
  }

  /**
   * How a task is judged: what its candidates are checked with, and whether they can be judged
   * apart.
   *
   * @param adapterName empty where the signature gives no adapter
   * @param supportFirst whether support compiles without the candidate
   * @param togetherBecause why the task cannot be judged apart; empty where it can
   * @param defect why the tests compile with no candidate, which is the suite's fault; or empty
   * @param support what support compiles to without the candidate; empty where it does not
   * @param classes stub and tests; empty where the tests use more than the stub has
   * @param adapterClass the adapter as it is compiled with the stub: a candidate that gives the
   *     same can be linked to these tests; empty where they have to be compiled against it
   * @param jars libraries of the task, for every layer and every JVM
   */
  public record JudgingPlan(
      String adapterName,
      String adapter,
      boolean supportFirst,
      String togetherBecause,
      String defect,
      Map<String, byte[]> support,
      Map<String, byte[]> classes,
      List<String> testClasses,
      byte[] adapterClass,
      List<String> jars)
      implements Message {

    public JudgingPlan with(String defect) {
      return new JudgingPlan(
          adapterName,
          adapter,
          supportFirst,
          togetherBecause,
          defect,
          support,
          classes,
          testClasses,
          adapterClass,
          jars);
    }

    @Override
    public void writeTo(MessageWriter out) {
      out.text(adapterName).text(adapter).flag(supportFirst).text(togetherBecause);
      out.text(defect)
          .blobs(support)
          .blobs(classes)
          .texts(testClasses)
          .blob(adapterClass)
          .texts(jars);
    }
  }
}
