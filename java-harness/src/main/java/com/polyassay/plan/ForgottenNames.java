package com.polyassay.plan;

import com.polyassay.compile.LayerCompiler;
import com.polyassay.wire.CompileMessages.PlanTask;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/**
 * Finds names that tests use and did not import, and that no candidate could bring.
 *
 * <p>Those are classes of the JDK and of JUnit that the task does not name as the candidate's, and
 * methods that are called by their name alone where neither the tests nor what they extend or
 * import has one of that name.
 */
final class ForgottenNames extends TreePathScanner<Void, Void> {
  private static final List<String> PACKAGES =
      Stream.concat(
              PlanMaker.COMMON.stream(),
              Stream.of(
                  "java.util.concurrent.atomic",
                  "org.junit.jupiter.api",
                  "org.junit.jupiter.api.function",
                  "org.junit.jupiter.api.io",
                  "org.junit.jupiter.params",
                  "org.junit.jupiter.params.provider"))
          .toList();

  private final Trees trees;
  private final Elements elements;
  private final Set<String> others = new HashSet<>(); // classes that may be the candidate's
  private final Set<String> methods = new HashSet<>();
  private boolean unknownMethods; // from a class that is not known
  private String found = "";

  private ForgottenNames(JavacTask javac, PlanTask task) {
    trees = Trees.instance(javac);
    elements = javac.getElements();
    others.addAll(task.named());
    others.add(task.className().substring(task.className().lastIndexOf('.') + 1));
  }

  /** The first of them, with its place; or nothing. */
  static String of(
      PlanTask task,
      Map<String, String> sources,
      Map<String, byte[]> classes,
      LayerCompiler compiler) {
    List<String> paths = List.copyOf(sources.keySet());
    return compiler.analyze(
        List.copyOf(sources.values()),
        classes,
        task.jars(),
        (javac, units) -> {
          ForgottenNames names = new ForgottenNames(javac, task);
          units.forEach(names::gather);
          for (int i = 0; i < units.size() && names.found.isEmpty(); i++) {
            names.scan(units.get(i), null);
            names.found = names.found.isEmpty() ? "" : paths.get(i) + ":" + names.found;
          }
          return names.found;
        });
  }

  /** Notes what methods a source has by their names alone. */
  private void gather(CompilationUnitTree unit) {
    for (ImportTree each : unit.getImports()) {
      if (each.isStatic() && each.getQualifiedIdentifier() instanceof MemberSelectTree member) {
        TypeElement owner = elements.getTypeElement(member.getExpression().toString());
        if (!member.getIdentifier().contentEquals("*")) {
          methods.add(member.getIdentifier().toString());
        } else if (owner == null) {
          unknownMethods = true;
        } else {
          addMethods(owner);
        }
      }
    }
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree node, Void nothing) {
        if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
          others.add(type.getSimpleName().toString());
          addMethods(type);
        } else {
          unknownMethods = true;
        }
        return super.visitClass(node, nothing);
      }
    }.scan(unit, null);
  }

  private void addMethods(TypeElement type) {
    Stream.concat(Stream.of(type.getSuperclass()), type.getInterfaces().stream())
        .map(TypeMirror::getKind)
        .forEach(kind -> unknownMethods |= kind == TypeKind.ERROR);
    for (Element each : elements.getAllMembers(type)) {
      if (each.getKind() == ElementKind.METHOD) {
        methods.add(each.getSimpleName().toString());
      }
    }
  }

  @Override
  public Void visitImport(ImportTree node, Void nothing) {
    return null;
  }

  @Override
  public Void visitIdentifier(IdentifierTree node, Void nothing) {
    String name = node.getName().toString();
    Element element = trees.getElement(getCurrentPath());
    boolean unknown = element == null || element.asType().getKind() == TypeKind.ERROR;
    if (unknown
        && !others.contains(name)
        && PACKAGES.stream().anyMatch(each -> elements.getTypeElement(each + "." + name) != null)) {
      say(node, name + " is not imported");
    }
    return super.visitIdentifier(node, nothing);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
    if (node.getMethodSelect() instanceof IdentifierTree method
        && !unknownMethods
        && !methods.contains(method.getName().toString())
        && !Set.of("this", "super").contains(method.getName().toString())) {
      say(node, "there is no method " + method.getName());
    }
    return super.visitMethodInvocation(node, nothing);
  }

  private void say(Tree node, String what) {
    if (found.isEmpty()) {
      CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
      long start = trees.getSourcePositions().getStartPosition(unit, node);
      found = unit.getLineMap().getLineNumber(start) + ": " + what;
    }
  }
}
