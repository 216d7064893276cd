package com.polyassay.plan;

import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;

/** Finds in an expression what tests may hold on to and change later. */
final class KeptObjects extends TreePathScanner<Void, Void> {
  private final Trees trees;
  private final Set<String> fixed; // types whose values never change
  private boolean found;

  KeptObjects(Trees trees, Set<String> fixed) {
    this.trees = trees;
    this.fixed = fixed;
  }

  boolean isIn(TreePath expression) {
    scan(expression, null);
    return found;
  }

  @Override
  public Void visitIdentifier(IdentifierTree node, Void nothing) {
    look(trees.getElement(getCurrentPath()));
    return super.visitIdentifier(node, nothing);
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
    look(trees.getElement(getCurrentPath()));
    return super.visitMemberSelect(node, nothing);
  }

  /** The JDK's own methods make what is not kept; the tests' own may give out what is. */
  @Override
  public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
    if (trees.getElement(getCurrentPath()) instanceof ExecutableElement called
        && !called.getEnclosingElement().toString().startsWith("java.")) {
      found |= changes(called.getReturnType());
    }
    return super.visitMethodInvocation(node, nothing);
  }

  private void look(Element named) {
    found |= named instanceof VariableElement variable && changes(variable.asType());
  }

  private boolean changes(TypeMirror type) {
    return !type.getKind().isPrimitive() && !fixed.contains(type.toString());
  }
}
