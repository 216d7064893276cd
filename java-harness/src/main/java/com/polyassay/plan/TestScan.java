package com.polyassay.plan;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * Finds what only types show in tests: identities that are compared, and the values of each call.
 *
 * <p>A value that crosses is a copy, so {@code ==} between objects may tell it from the original:
 * within one call it does not, because arguments, constant texts and small boxed numbers keep their
 * identity; from one call to the next it would. And a method that takes anything may be given what
 * does not cross.
 */
final class TestScan extends TreePathScanner<Void, Void> {
  private static final Set<String> FIXED =
      Stream.of("String Boolean Byte Short Character Integer Long Float Double".split(" "))
          .map(name -> "java.lang." + name)
          .collect(Collectors.toUnmodifiableSet());

  private final Trees trees;
  private final Types types;
  private final Elements elements;
  private final TypeElement target;
  private final String method;
  private final boolean givesObjects;
  private final boolean takesOwn;
  private final Flows flows;
  private String reason = "";

  private TestScan(
      JavacTask task,
      Iterable<? extends CompilationUnitTree> tests,
      String className,
      String method) {
    this.trees = Trees.instance(task);
    this.types = task.getTypes();
    this.elements = task.getElements();
    this.target = task.getElements().getTypeElement(className);
    this.method = method;
    this.givesObjects = hasMethod(TestScan::givesObjects);
    this.takesOwn = hasMethod(Crossing::takesOwn);
    this.flows = givesObjects ? new Flows(trees, this::isTarget, tests) : null;
  }

  private boolean hasMethod(Predicate<ExecutableElement> like) {
    return target != null
        && ElementFilter.methodsIn(target.getEnclosedElements()).stream()
            .anyMatch(each -> each.getSimpleName().contentEquals(method) && like.test(each));
  }

  /** Empty where nothing in these sources of the tests keeps the task from being judged apart. */
  static String reason(
      JavacTask task,
      Iterable<? extends CompilationUnitTree> tests,
      String className,
      String method) {
    TestScan scan = new TestScan(task, tests, className, method);
    scan.scan(tests, null);
    return scan.reason;
  }

  @Override
  public Void visitBinary(BinaryTree node, Void nothing) {
    boolean compares =
        node.getKind() == Tree.Kind.EQUAL_TO || node.getKind() == Tree.Kind.NOT_EQUAL_TO;
    if (compares
        && givesObjects
        && hasIdentity(node.getLeftOperand())
        && hasIdentity(node.getRightOperand())
        && !sameWhenApart(node)) {
      say("the tests compare identities");
    }
    return super.visitBinary(node, nothing);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
    if (isTarget(trees.getElement(getCurrentPath()))) {
      say(Crossing.ofValue(trees.getTypeMirror(getCurrentPath())));
      node.getArguments().forEach(each -> say(Crossing.ofValue(typeOf(each))));
    }
    return super.visitMethodInvocation(node, nothing);
  }

  /** A constructor's arguments may be kept; apart, a copy is, which later changes do not reach. */
  @Override
  public Void visitNewClass(NewClassTree node, Void nothing) {
    if (trees.getElement(getCurrentPath()) instanceof ExecutableElement made
        && made.getEnclosingElement().equals(target)) {
      for (ExpressionTree each : node.getArguments()) {
        say(Crossing.ofValue(typeOf(each)));
        if (new KeptObjects(trees, FIXED).isIn(new TreePath(getCurrentPath(), each))) {
          say("the tests keep what they make the object of");
        }
      }
    }
    return super.visitNewClass(node, nothing);
  }

  @Override
  public Void visitLambdaExpression(LambdaExpressionTree node, Void nothing) {
    implemented(trees.getTypeMirror(getCurrentPath()));
    return super.visitLambdaExpression(node, nothing);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
    implemented(trees.getTypeMirror(getCurrentPath()));
    return super.visitMemberReference(node, nothing);
  }

  /** Collections are copied as what they are, whoever wrote their class. */
  @Override
  public Void visitClass(ClassTree node, Void nothing) {
    if (trees.getElement(getCurrentPath()) instanceof TypeElement type
        && Stream.of("java.util.Collection", "java.util.Map").noneMatch(known -> is(type, known))) {
      type.getInterfaces().forEach(this::implemented);
    }
    return super.visitClass(node, nothing);
  }

  private void implemented(TypeMirror type) {
    if (takesOwn
        && type instanceof DeclaredType declared
        && Crossing.OPEN.contains(declared.asElement().toString())) {
      say("the tests pass objects of their own classes");
    }
  }

  private boolean is(TypeElement type, String name) {
    return types.isSubtype(
        types.erasure(type.asType()), types.erasure(elements.getTypeElement(name).asType()));
  }

  /**
   * Whether tests can get hold of objects that a candidate made; if not, they compare their own.
   */
  private static boolean givesObjects(ExecutableElement method) {
    TypeKind returned = method.getReturnType().getKind();
    return !returned.isPrimitive() && returned != TypeKind.VOID
        || method.getParameters().stream()
            .map(VariableElement::asType)
            .anyMatch(type -> !type.getKind().isPrimitive() && !FIXED.contains(type.toString()));
  }

  /** Tests may call the candidate by the name of a class that it extends. */
  private boolean isTarget(Element called) {
    return called != null
        && called.getSimpleName().contentEquals(method)
        && called.getEnclosingElement() instanceof TypeElement owner
        && target != null
        && types.isSubtype(types.erasure(target.asType()), types.erasure(owner.asType()));
  }

  /** Whether two equal ones can be told apart; constants of an enum and classes cannot. */
  private boolean hasIdentity(ExpressionTree operand) {
    TypeMirror type = typeOf(operand);
    if (type == null || operand.toString().equals("this")) {
      return false;
    }
    return switch (type.getKind()) {
      case DECLARED -> {
        TypeElement element = (TypeElement) ((DeclaredType) type).asElement();
        yield element.getKind() != ElementKind.ENUM
            && !element.getQualifiedName().contentEquals("java.lang.Class");
      }
      case ARRAY, TYPEVAR, INTERSECTION -> true;
      default -> false;
    };
  }

  /** Whether a comparison of identities says the same about copies. */
  private boolean sameWhenApart(BinaryTree node) {
    Flows.Calls left = flows.of(new TreePath(getCurrentPath(), node.getLeftOperand()));
    Flows.Calls right = flows.of(new TreePath(getCurrentPath(), node.getRightOperand()));
    if (left.none() && right.none()) {
      return true;
    }
    if (left.crossCalls(right)) {
      return false;
    }
    // The JDK has constants of other types (an empty list, a zero), and those arrive as copies.
    boolean known = isKept(node.getLeftOperand()) || isKept(node.getRightOperand());
    boolean both = !left.none() && !right.none();
    return known || both && !isText(node.getLeftOperand()) && !isText(node.getRightOperand());
  }

  private boolean isKept(ExpressionTree operand) {
    TypeMirror type = typeOf(operand);
    return type.getKind() == TypeKind.ARRAY || FIXED.contains(type.toString());
  }

  /** An immutable value of the JDK's that crosses as text. */
  private boolean isText(ExpressionTree operand) {
    String name = types.erasure(typeOf(operand)).toString();
    return name.matches("java\\.(math|time|net|nio)\\..*|java\\.util\\.(Optional|UUID|Locale)");
  }

  private TypeMirror typeOf(ExpressionTree part) {
    return trees.getTypeMirror(new TreePath(getCurrentPath(), part));
  }

  private void say(String found) {
    reason = reason.isEmpty() ? found : reason;
  }
}
