package com.polyassay.compile;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;

/**
 * Finds classes of a candidate's that would hide what the tests mean.
 *
 * <p>A class in the tests' own package comes before all that they import with a star and before
 * java.lang: an Assertions of the candidate's would take the place of JUnit's.
 */
public final class Hiding {
  private Hiding() {}

  /**
   * Those of the classes whose simple name the sources use for another class, as they compile
   * without them.
   *
   * @param own the candidate's classes
   * @param named simple names that the task gives to classes of the candidate's
   * @param without all classes to compile against, but for the candidate's own
   */
  public static Set<String> of(
      LayerCompiler compiler,
      Layer layer,
      Set<String> own,
      Collection<String> named,
      Map<String, byte[]> without) {
    Collection<String> sources = layer.sources().values();
    Set<String> doubtful =
        own.stream()
            .filter(name -> !named.contains(simple(name)) && isWordOf(sources, simple(name)))
            .collect(Collectors.toSet());
    if (doubtful.isEmpty()) {
      return doubtful;
    }
    Set<String> meant =
        compiler.analyze(List.copyOf(sources), without, layer.jars(), Hiding::typesMeant);
    doubtful.removeIf(name -> !meant.contains(simple(name)));
    return doubtful;
  }

  /** The name of the outermost class, without its package. */
  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1).replaceFirst("(?<=.)\\$.*", "");
  }

  private static boolean isWordOf(Collection<String> sources, String name) {
    Pattern word = Pattern.compile("(?<![\\w$])" + Pattern.quote(name) + "(?![\\w$])");
    return sources.stream().anyMatch(source -> word.matcher(source).find());
  }

  /** Names that stand alone and are classes' names. */
  private static Set<String> typesMeant(JavacTask task, List<CompilationUnitTree> units) {
    Trees trees = Trees.instance(task);
    Set<String> found = new HashSet<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitIdentifier(IdentifierTree node, Void nothing) {
        if (trees.getElement(getCurrentPath()) instanceof TypeElement type
            && type.asType().getKind() != TypeKind.ERROR) {
          found.add(node.getName().toString());
        }
        return null;
      }
    }.scan(units, null);
    return found;
  }
}
