package com.polyassay.plan;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * What stands between a task's tests and a candidate, made of the task's signature.
 *
 * <p>The stub has the candidate's name and is what tests call when they are judged apart. The
 * adapter calls the candidate exactly as the signature says: a candidate against which it does not
 * compile is unbuilt, however it is judged.
 */
final class Bridge {
  static final String ADAPTER = "PolyassayAdapter";

  private static final String STUB =
      """
      %1$s
      public class %2$s %3$s {
        private static <E extends Throwable> E polyassayAs(Throwable thrown) throws E {
          @SuppressWarnings("unchecked") E same = (E) thrown;
          throw same;
        }
        %4$s
        @SuppressWarnings("unchecked")
        public %5$s %6$s {
          try {
            %7$s com.polyassay.apart.Remote.call(%8$s, new Object[] {%9$s});
          } catch (Throwable thrown) {
            throw %2$s.<RuntimeException>polyassayAs(thrown);
          }
        }
      }
      """;
  private static final String MAKE =
      """
      private final int polyassayNumber;
        public %1$s(%2$s)%3$s {
          try {
            polyassayNumber = com.polyassay.apart.Remote.make(new Object[] {%4$s});
          } catch (Throwable thrown) {
            throw %1$s.<RuntimeException>polyassayAs(thrown);
          }
        }
      """;
  private static final String CALLER =
      """
      %1$s
      public final class %2$s {
        public static %3$s {
          %4$s;
        }
        %5$s
      }
      """;
  // On one line, so that a complaint about it is known by its line.
  private static final String MADE =
      "public static %1$s polyassayMake(%2$s)%3$s { return new %1$s(%4$s); }";

  private final String packageName;
  private final String simpleName;
  private final String head;
  private final MethodTree method;
  private final MethodTree constructor; // null: one without parameters

  private Bridge(
      String className, List<String> imports, MethodTree method, MethodTree constructor) {
    int dot = className.lastIndexOf('.');
    this.packageName = dot < 0 ? "" : className.substring(0, dot);
    this.simpleName = className.substring(dot + 1);
    String line = packageName.isEmpty() ? "" : "package " + packageName + ";\n";
    // On one line, so that line numbers do not depend on how many there are.
    this.head = line + String.join(" ", imports);
    this.method = method;
    this.constructor = constructor;
  }

  /** Null where the signature is not one of a method, before which its constructor may stand. */
  static Bridge of(String className, String signature, List<String> imports) {
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    List<MethodTree> found = parse(simpleName, signature.strip().replaceFirst("[;{\\s]+$", ""));
    List<MethodTree> methods = found.stream().filter(each -> !isConstructor(each)).toList();
    List<MethodTree> constructors = found.stream().filter(Bridge::isConstructor).toList();
    if (methods.size() != 1 || constructors.size() > 1) {
      return null;
    }
    MethodTree constructor = constructors.isEmpty() ? null : constructors.get(0);
    return new Bridge(className, imports, methods.get(0), constructor);
  }

  private static boolean isConstructor(MethodTree method) {
    return method.getReturnType() == null;
  }

  String adapterPath() {
    return adapterName().replace('.', '/') + ".java";
  }

  String adapterName() {
    return packageName.isEmpty() ? ADAPTER : packageName + "." + ADAPTER;
  }

  String methodName() {
    return method.getName().toString();
  }

  /** What the signature says that the method throws. */
  String thrown() {
    return joined(method.getThrows(), Object::toString);
  }

  String stub(String superclass, String thrown) {
    return STUB.formatted(
        head,
        simpleName,
        superclass.isEmpty() ? "" : "extends " + superclass,
        isStatic() ? "" : made(MAKE, thrown),
        isStatic() ? "static" : "",
        declaration(methodName(), "", thrown),
        isVoid() ? "" : "return (" + method.getReturnType() + ")",
        isStatic() ? "-1" : "polyassayNumber",
        arguments());
  }

  /**
   * Compiles against a candidate that throws no other checked exceptions than these.
   *
   * @param superclass by which tests know the candidate's class; empty where they make its objects
   */
  String adapter(String superclass, String thrown) {
    String target = isStatic() ? simpleName : "polyassayTarget";
    String call = target + "." + methodName() + "(" + arguments() + ")";
    return CALLER.formatted(
        head,
        ADAPTER,
        declaration("call", isStatic() ? "" : simpleName + " polyassayTarget", thrown),
        isVoid() ? call : "return " + call,
        isStatic() || !superclass.isEmpty() ? "" : made(MADE, thrown));
  }

  /** Code that makes an object, in the stub or in the adapter. */
  private String made(String form, String thrown) {
    if (constructor == null) {
      return form.formatted(simpleName, "", form.equals(MADE) ? clause(thrown) : "", "");
    }
    String declared = joined(constructor.getThrows(), Object::toString);
    return form.formatted(
        simpleName,
        joined(constructor.getParameters(), Object::toString),
        clause(thrown.equals("Exception") ? thrown : declared),
        joined(constructor.getParameters(), each -> each.getName().toString()));
  }

  private String declaration(String name, String first, String thrown) {
    String parameters = joined(method.getParameters(), Object::toString);
    String all = first + (first.isEmpty() || parameters.isEmpty() ? "" : ", ") + parameters;
    String generic = joined(method.getTypeParameters(), Object::toString);
    return (generic.isEmpty() ? "" : "<" + generic + "> ")
        + (method.getReturnType() + " " + name + "(" + all + ")")
        + clause(thrown);
  }

  private static String clause(String thrown) {
    return thrown.isEmpty() ? "" : " throws " + thrown;
  }

  private String arguments() {
    return joined(method.getParameters(), each -> each.getName().toString());
  }

  private boolean isStatic() {
    return method.getModifiers().getFlags().contains(Modifier.STATIC);
  }

  private boolean isVoid() {
    return method.getReturnType().toString().equals("void");
  }

  private static <T> String joined(List<? extends T> parts, Function<T, String> text) {
    return parts.stream().map(text).collect(Collectors.joining(", "));
  }

  /** What a signature declares; nothing where it declares anything else than methods. */
  private static List<MethodTree> parse(String className, String signature) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("source:///S.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return "class " + className + " { " + signature + "; }";
          }
        };
    try {
      JavacTask task =
          (JavacTask)
              ToolProvider.getSystemJavaCompiler()
                  .getTask(
                      new StringWriter(),
                      null,
                      problems,
                      List.of("-proc:none"),
                      null,
                      List.of(source));
      CompilationUnitTree unit = task.parse().iterator().next();
      List<? extends Tree> types = unit.getTypeDecls();
      if (!problems.getDiagnostics().isEmpty()
          || types.size() != 1
          || !(types.get(0) instanceof ClassTree type)
          || !type.getMembers().stream().allMatch(MethodTree.class::isInstance)) {
        return List.of();
      }
      return type.getMembers().stream().map(MethodTree.class::cast).toList();
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }
}
