package com.polyassay.compile;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreeScanner;

/**
 * Stops a compile as soon as its sources are parsed, where they declare too many classes.
 *
 * <p>The compiler's time grows with the square of their number: 20,000 empty classes take it 18
 * seconds of CPU time, and 2,000 less than one.
 */
final class ClassCount extends TreeScanner<Void, Void> implements TaskListener {
  static final int LIMIT = 2000;

  private int count;

  @Override
  public void finished(TaskEvent event) {
    if (event.getKind() == TaskEvent.Kind.PARSE && event.getCompilationUnit() != null) {
      scan(event.getCompilationUnit(), null);
    }
  }

  @Override
  public Void visitClass(ClassTree node, Void nothing) {
    if (++count > LIMIT) {
      throw new TooMany();
    }
    return super.visitClass(node, nothing);
  }

  static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
