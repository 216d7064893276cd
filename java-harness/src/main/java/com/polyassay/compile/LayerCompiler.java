package com.polyassay.compile;

import com.polyassay.wire.CompileMessages.Diagnostic;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles layers in memory with the JDK's own compiler; loads nothing of what it made. */
public final class LayerCompiler {
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-implicit:none", "-nowarn", "-g", "-Xmaxerrs", "20");

  private static final int MESSAGE_LIMIT = 2000;

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  // Kept, because they hold the jars open, and opening them is half of a short compile.
  private final Map<List<File>, Queue<StandardJavaFileManager>> idle = new ConcurrentHashMap<>();
  private final List<File> junit;
  private final int outputLimit;

  public LayerCompiler(List<File> junit, int outputLimit) {
    this.junit = List.copyOf(junit);
    this.outputLimit = outputLimit;
  }

  /** Answers for whatever the sources do to the compiler. */
  public Compiled compile(Layer layer, Map<String, byte[]> earlier) {
    if (layer.sources().isEmpty()) {
      return Compiled.broken("");
    }
    DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
    StringWriter lastWords = new StringWriter();
    try (MemoryFiles files = files(layer.junit(), layer.jars(), earlier)) {
      List<JavaFileObject> units = new ArrayList<>();
      layer.sources().forEach((path, text) -> units.add(new Source(path, text, layer.junit())));
      JavacTask task =
          (JavacTask) compiler.getTask(lastWords, files, collector, OPTIONS, null, units);
      task.addTaskListener(new ClassCount());
      boolean good = task.call();
      List<Diagnostic> errors = errors(collector);
      if (good != errors.isEmpty()) {
        return Compiled.broken(problem(lastWords.toString()));
      }
      return new Compiled(
          good ? files.classes() : Map.of(), good ? files.origins() : Map.of(), errors, "");
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      return Compiled.broken(problem(trace.toString()));
    }
  }

  /** Why the compiler broke off, from the stack trace that it printed. */
  private String problem(String trace) {
    if (trace.contains("StackOverflowError")) {
      return "the source is nested too deeply for the compiler";
    }
    if (trace.contains("OutOfMemoryError")) {
      return "the compiler ran out of memory";
    }
    if (trace.contains(ClassCount.TooMany.class.getName())) {
      return "it declares more than " + ClassCount.LIMIT + " classes";
    }
    if (trace.contains(MemoryFiles.TooLarge.class.getName())) {
      return "its class files exceed " + outputLimit + " bytes";
    }
    return "the compiler broke off without a diagnostic";
  }

  /** The methods of that name in a class that was compiled before, as one would declare them. */
  public List<String> methods(
      String className, String method, Map<String, byte[]> classes, List<String> jars) {
    List<String> found = new ArrayList<>();
    try (MemoryFiles files = files(false, jars, classes)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(new StringWriter(), files, d -> {}, OPTIONS, null, List.of());
      TypeElement type = task.getElements().getTypeElement(className);
      if (type != null) {
        for (ExecutableElement each : ElementFilter.methodsIn(type.getEnclosedElements())) {
          if (each.getSimpleName().contentEquals(method)) {
            found.add(Declarations.of(each));
          }
        }
      }
    }
    return found;
  }

  /** What is said about sources whose types have been found out, against classes and jars. */
  public <T> T analyze(
      List<String> sources,
      Map<String, byte[]> classes,
      List<String> jars,
      BiFunction<JavacTask, List<CompilationUnitTree>, T> say) {
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach(text -> units.add(new Source(units.size() + ".java", text, true)));
    try (MemoryFiles files = files(true, jars, classes)) {
      JavacTask task =
          (JavacTask) compiler.getTask(new StringWriter(), files, d -> {}, OPTIONS, null, units);
      List<CompilationUnitTree> parsed = new ArrayList<>();
      task.parse().forEach(parsed::add);
      task.analyze();
      return say.apply(task, parsed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MemoryFiles files(boolean withJunit, List<String> jars, Map<String, byte[]> earlier) {
    List<File> path =
        Stream.concat(
                withJunit ? junit.stream() : Stream.<File>empty(), jars.stream().map(File::new))
            .toList();
    Queue<StandardJavaFileManager> same =
        idle.computeIfAbsent(path, any -> new ConcurrentLinkedQueue<>());
    StandardJavaFileManager files = same.poll();
    if (files == null) {
      files = compiler.getStandardFileManager(d -> {}, Locale.ENGLISH, StandardCharsets.UTF_8);
      try {
        files.setLocation(StandardLocation.CLASS_PATH, path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new MemoryFiles(files, same, earlier, outputLimit);
  }

  private static List<Diagnostic> errors(DiagnosticCollector<JavaFileObject> collector) {
    List<Diagnostic> errors = new ArrayList<>();
    for (var each : collector.getDiagnostics()) {
      if (each.getKind() == javax.tools.Diagnostic.Kind.ERROR) {
        JavaFileObject source = each.getSource();
        errors.add(
            new Diagnostic(
                source instanceof Source known ? known.path : "",
                (int) each.getLineNumber(),
                (int) each.getColumnNumber(),
                String.valueOf(each.getCode()),
                shortened(each.getMessage(Locale.ENGLISH))));
      }
    }
    return errors;
  }

  /** Types can grow to any length, and the compiler names them in full. */
  private static String shortened(String message) {
    return message.length() <= MESSAGE_LIMIT ? message : message.substring(0, MESSAGE_LIMIT) + "…";
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String path;
    private final String text;
    private final boolean anyName;

    Source(String path, String text, boolean anyName) {
      super(URI.create("source:///" + path), Kind.SOURCE);
      this.path = path;
      this.text = text;
      this.anyName = anyName;
    }

    /** Tests come without their file's name, so a public class of theirs may have any. */
    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
      return anyName || super.isNameCompatible(simpleName, kind);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  public static Map<String, byte[]> joined(Map<String, byte[]> a, Map<String, byte[]> b) {
    Map<String, byte[]> all = new LinkedHashMap<>(a);
    all.putAll(b);
    return all;
  }
}
