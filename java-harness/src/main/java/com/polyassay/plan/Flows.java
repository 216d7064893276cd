package com.polyassay.plan;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;

/**
 * Finds out which calls of the candidate each variable and method of the tests may have values of.
 *
 * <p>It errs on one side: what may come from a call is said to. An expression has what anything in
 * it has, whatever is done with it.
 */
final class Flows extends TreePathScanner<Void, Void> {
  /** Calls, by their places: which gave it a result, and which may have been given it. */
  record Calls(Set<Tree> gave, Set<Tree> took) {
    Calls() {
      this(new HashSet<>(), new HashSet<>());
    }

    boolean none() {
      return gave.isEmpty() && took.isEmpty();
    }

    /** Whether one may be a result that was there in a call before the one of the other. */
    boolean crossCalls(Calls other) {
      return !gave.isEmpty() && !other.gave.isEmpty()
          || differ(gave, other.took)
          || differ(other.gave, took);
    }

    private static boolean differ(Set<Tree> gave, Set<Tree> took) {
      return gave.stream().anyMatch(one -> took.stream().anyMatch(two -> one != two));
    }
  }

  // Their static methods put one argument into another.
  private static final Set<String> MOVERS = Set.of("java.util.Collections", "java.lang.System");

  private final Trees trees;
  private final Predicate<Element> target;
  private final Map<Element, Calls> calls = new HashMap<>();
  private boolean changed;

  Flows(Trees trees, Predicate<Element> target, Iterable<? extends CompilationUnitTree> tests) {
    this.trees = trees;
    this.target = target;
    do {
      changed = false;
      scan(tests, null);
    } while (changed);
  }

  /** What the value of an expression has to do with calls. */
  Calls of(TreePath expression) {
    Calls all = new Calls();
    new Mentions() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
        if (target.test(trees.getElement(getCurrentPath()))) {
          all.gave().add(node);
        }
        return super.visitMethodInvocation(node, nothing);
      }

      @Override
      void add(Element mentioned) {
        Calls known = calls.get(mentioned);
        if (known != null) {
          all.gave().addAll(known.gave());
          all.took().addAll(known.took());
        }
      }
    }.scan(expression, null);
    return all;
  }

  @Override
  public Void visitVariable(VariableTree node, Void nothing) {
    if (node.getInitializer() != null) {
      flow(node.getInitializer(), List.of(here()));
    }
    return super.visitVariable(node, nothing);
  }

  @Override
  public Void visitEnhancedForLoop(EnhancedForLoopTree node, Void nothing) {
    flow(node.getExpression(), List.of(elementOf(node.getVariable())));
    return super.visitEnhancedForLoop(node, nothing);
  }

  @Override
  public Void visitAssignment(AssignmentTree node, Void nothing) {
    flow(node.getExpression(), mentioned(node.getVariable()));
    return super.visitAssignment(node, nothing);
  }

  @Override
  public Void visitReturn(ReturnTree node, Void nothing) {
    TreePath outer = getCurrentPath();
    while (!(outer.getLeaf() instanceof MethodTree)
        && !(outer.getLeaf() instanceof LambdaExpressionTree)) {
      outer = outer.getParentPath();
    }
    if (node.getExpression() != null && outer.getLeaf() instanceof MethodTree) {
      flow(node.getExpression(), List.of(trees.getElement(outer)));
    }
    return super.visitReturn(node, nothing);
  }

  @Override
  public Void visitNewClass(NewClassTree node, Void nothing) {
    toParameters(node.getArguments());
    return super.visitNewClass(node, nothing);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
    Element called = here();
    if (target.test(called)) {
      node.getArguments().forEach(each -> took(each, node));
    } else {
      toParameters(node.getArguments());
      intoOthers(node, called);
    }
    return super.visitMethodInvocation(node, nothing);
  }

  /** A method may put its arguments into the object that it is called on, or hand them on. */
  private void intoOthers(MethodInvocationTree node, Element called) {
    List<Element> others = new ArrayList<>(mentioned(node.getMethodSelect()));
    others.remove(called);
    if (called != null && MOVERS.contains(called.getEnclosingElement().toString())) {
      node.getArguments().forEach(each -> others.addAll(mentioned(each)));
    }
    for (ExpressionTree each : node.getArguments()) {
      flow(each, others);
      if (each instanceof LambdaExpressionTree lambda) {
        for (VariableTree parameter : lambda.getParameters()) {
          flow(node, List.of(trees.getElement(path(each, parameter))));
        }
      }
    }
  }

  private void toParameters(List<? extends ExpressionTree> arguments) {
    if (here() instanceof ExecutableElement called) {
      List<? extends VariableElement> parameters = called.getParameters();
      for (int i = 0; i < arguments.size() && !parameters.isEmpty(); i++) {
        flow(arguments.get(i), List.of(parameters.get(Math.min(i, parameters.size() - 1))));
      }
    }
  }

  private void took(ExpressionTree argument, Tree call) {
    for (Element each : mentioned(argument)) {
      note(each, Set.of(), Set.of(call));
    }
  }

  /** What was taken by a call may be the same object on both sides, whichever was there first. */
  private void flow(Tree from, List<Element> to) {
    Calls source = of(path(from));
    List<Element> sources = mentioned(from);
    for (Element each : to) {
      note(each, source.gave(), source.took());
      Calls known = calls.get(each);
      if (known != null) {
        sources.forEach(one -> note(one, Set.of(), known.took()));
      }
    }
  }

  private void note(Element element, Set<Tree> gave, Set<Tree> took) {
    if (element == null
        || gave.isEmpty() && took.isEmpty()
        || element instanceof VariableElement variable
            && variable.asType().getKind().isPrimitive()) {
      return;
    }
    Calls known = calls.computeIfAbsent(element, each -> new Calls());
    changed |= known.gave().addAll(gave) | known.took().addAll(took);
  }

  /** The variables of an expression. */
  private List<Element> mentioned(Tree expression) {
    List<Element> found = new ArrayList<>();
    new Mentions() {
      @Override
      void add(Element element) {
        if (element instanceof VariableElement) {
          found.add(element);
        }
      }
    }.scan(path(expression), null);
    return found;
  }

  /** Goes through everything that an expression names. */
  private abstract class Mentions extends TreePathScanner<Void, Void> {
    abstract void add(Element mentioned);

    @Override
    public Void visitIdentifier(IdentifierTree node, Void nothing) {
      add(trees.getElement(getCurrentPath()));
      return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
      add(trees.getElement(getCurrentPath()));
      return super.visitMemberSelect(node, nothing);
    }
  }

  private Element here() {
    return trees.getElement(getCurrentPath());
  }

  private Element elementOf(Tree inside) {
    return trees.getElement(path(inside));
  }

  private TreePath path(Tree... inside) {
    TreePath path = getCurrentPath();
    for (Tree each : inside) {
      path = path.getLeaf() == each ? path : new TreePath(path, each);
    }
    return path;
  }
}
