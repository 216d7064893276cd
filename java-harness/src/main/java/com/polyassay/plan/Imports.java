package com.polyassay.plan;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.TypeElement;

/** Finds the imports that a source needs, because each package that it names whole costs time. */
final class Imports {
  private Imports() {}

  static List<String> of(JavacTask task, CompilationUnitTree unit) {
    Trees trees = Trees.instance(task);
    Set<String> found = new TreeSet<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitImport(ImportTree node, Void nothing) {
        return null;
      }

      @Override
      public Void visitIdentifier(IdentifierTree node, Void nothing) {
        if (trees.getElement(getCurrentPath()) instanceof TypeElement type
            && type.getQualifiedName().toString().contains(".")) {
          found.add("import " + type.getQualifiedName() + ";");
        }
        return null;
      }
    }.scan(unit, null);
    return List.copyOf(found);
  }
}
