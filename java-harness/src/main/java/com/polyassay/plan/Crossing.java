package com.polyassay.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/** Says why the values of a task cannot cross between judge and worker. */
final class Crossing {
  private static final Set<String> PLAIN =
      names(
          "java.lang.",
          "Boolean Byte Short Character Integer Long Float Double String CharSequence Object Number"
              + " Comparable Iterable StringBuilder StringBuffer Void",
          "java.math.",
          "BigInteger BigDecimal",
          "java.util.",
          "Collection List Set Map SortedMap NavigableMap SortedSet NavigableSet Queue Deque"
              + " Map.Entry ArrayList LinkedList Vector Stack ArrayDeque PriorityQueue HashSet"
              + " LinkedHashSet TreeSet HashMap LinkedHashMap TreeMap Hashtable Optional Date UUID"
              + " Locale AbstractList",
          "java.util.concurrent.",
          "ConcurrentHashMap ConcurrentMap CopyOnWriteArrayList TimeUnit",
          "java.time.",
          "LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime Instant Duration Period"
              + " Year YearMonth ZoneId ZoneOffset DayOfWeek Month",
          "java.time.temporal.",
          "ChronoUnit",
          "java.nio.charset.",
          "Charset",
          "java.net.",
          "URI");

  /** Interfaces that tests may implement for themselves. */
  static final Set<String> OPEN = names("java.lang.", "Object Iterable Comparable CharSequence");

  private static final Pattern NO_CODE =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]++|\\\\.)*+'"
              + "|/\\*(?s:.*?)\\*/|//[^\\n]*");
  private static final Map<String, Pattern> HABITS = new LinkedHashMap<>();

  static {
    habit("the tests capture output", "System\\s*\\.\\s*set(Out|Err|In)\\b");
    habit(
        "the tests compare identities",
        "assert(Not)?Same\\b|\\bis(Not)?SameAs\\b|identityHashCode|IdentityHashMap");
    habit("the tests use mocks", "(?i)\\bmock");
    habit(
        "the tests share files with the candidate",
        "\\b(Files|Path|Paths|TempDir|File(Reader|Writer|InputStream|OutputStream)"
            + "|File(?!\\s*\\.\\s*(pathS|s)eparator))\\b");
    habit(
        "the tests change what the whole process sees",
        "\\b(Locale|TimeZone)\\s*\\.\\s*setDefault|System\\s*\\.\\s*(setProperty|clearProperty)");
    habit(
        "the tests look into the class",
        "getDeclared(Method|Field|Constructor)|\\bModifier\\s*\\.|getInterfaces|getSuperclass"
            + "|isAnnotationPresent|\\.class\\s*\\.\\s*get(Method|Field|Constructor)");
    habit("the tests read streams", "Scanner\\s*\\(\\s*System|ByteArray(In|Out)putStream");
  }

  private Crossing() {}

  /** Empty where everything of the tests' text can be judged apart. */
  static String ofTests(List<String> sources) {
    for (Map.Entry<String, Pattern> each : HABITS.entrySet()) {
      for (String source : sources) {
        if (each.getValue().matcher(bare(source)).find()) {
          return each.getKey();
        }
      }
    }
    return "";
  }

  /** Empty where values of all of a method's types can cross, as these tests call it. */
  static String ofMethod(ExecutableElement method, List<String> tests) {
    String reason =
        isIterable(method.getReturnType())
            ? "values of type Iterable do not cross" // they may be lazy, and have no end
            : ofType(method.getReturnType(), 0);
    for (VariableElement each : method.getParameters()) {
      reason = reason.isEmpty() ? ofType(each.asType(), 0) : reason;
    }
    return reason.isEmpty() && isOpen(method) && declaresOwnClasses(tests)
        ? "the tests pass objects of their own classes"
        : reason;
  }

  /** Empty where an expression's value can cross, as far as its type tells. */
  static String ofValue(TypeMirror type) {
    if (type == null || type.getKind() == TypeKind.NULL || type.getKind() == TypeKind.ERROR) {
      return "";
    }
    boolean anonymous =
        type instanceof DeclaredType declared
            && ((TypeElement) declared.asElement()).getNestingKind() == NestingKind.ANONYMOUS;
    // A collection that fills itself in its initializer is copied as what it extends.
    return anonymous
        ? ofType(((TypeElement) ((DeclaredType) type).asElement()).getSuperclass(), 0)
        : ofType(type, 0);
  }

  private static boolean isIterable(TypeMirror type) {
    return type instanceof DeclaredType declared
        && declared.asElement().toString().equals("java.lang.Iterable");
  }

  /** Whether an object of the tests' own making can be passed that is not copied as anything. */
  static boolean takesOwn(ExecutableElement method) {
    return method.getParameters().stream().anyMatch(each -> isAnything(each.asType()));
  }

  private static boolean isAnything(TypeMirror type) {
    return type instanceof TypeVariable
        || type instanceof WildcardType
        || type instanceof ArrayType array && isAnything(array.getComponentType())
        || type instanceof DeclaredType declared
            && (OPEN.contains(declared.asElement().toString())
                || declared.getTypeArguments().stream().anyMatch(Crossing::isAnything));
  }

  /** Whether any object at all may stand for a value of the method's types. */
  private static boolean isOpen(ExecutableElement method) {
    String types =
        method.getReturnType()
            + method.getParameters().stream()
                .map(each -> " " + each.asType())
                .collect(Collectors.joining());
    return !method.getTypeParameters().isEmpty()
        || Pattern.compile("java\\.lang\\.(Object|Comparable|Iterable)|\\?").matcher(types).find()
        || Pattern.compile(
                "java\\.util\\.\\w*(List|Map|Set|Collection|Queue|Deque|Optional)(?![\\w<])")
            .matcher(types)
            .find();
  }

  private static boolean declaresOwnClasses(List<String> sources) {
    Pattern declaration = Pattern.compile("\\b(?:class|record|enum|interface)\\s+[A-Z]\\w*");
    return sources.stream()
        .anyMatch(source -> declaration.matcher(bare(source)).results().count() > 1);
  }

  private static String ofType(TypeMirror type, int depth) {
    if (depth > 8 || type.getKind().isPrimitive() || type.getKind() == TypeKind.VOID) {
      return "";
    }
    if (type instanceof ArrayType array) {
      return ofType(array.getComponentType(), depth + 1);
    }
    if (type instanceof TypeVariable variable) {
      return ofType(variable.getUpperBound(), depth + 1);
    }
    if (type instanceof WildcardType wildcard) {
      TypeMirror bound =
          wildcard.getExtendsBound() != null
              ? wildcard.getExtendsBound()
              : wildcard.getSuperBound();
      return bound == null ? "" : ofType(bound, depth + 1);
    }
    if (type instanceof DeclaredType declared) {
      String name = ((TypeElement) declared.asElement()).getQualifiedName().toString();
      if (!PLAIN.contains(name)) {
        return "values of type " + name.replaceFirst(".*\\.(?=[A-Z])", "") + " do not cross";
      }
      for (TypeMirror each : declared.getTypeArguments()) {
        String reason = ofType(each, depth + 1);
        if (!reason.isEmpty()) {
          return reason;
        }
      }
      return "";
    }
    return type.getKind() == TypeKind.INTERSECTION
        ? ""
        : "values of type " + type + " do not cross";
  }

  /** Without imports, comments and texts, which name things and use none. */
  private static String bare(String source) {
    return NO_CODE.matcher(source).replaceAll(" ").replaceAll("\\bimport [^;]*;", "");
  }

  private static Set<String> names(String... prefixesAndNames) {
    Set<String> names = new java.util.HashSet<>();
    for (int i = 0; i < prefixesAndNames.length; i += 2) {
      for (String name : prefixesAndNames[i + 1].split(" ")) {
        names.add(prefixesAndNames[i] + name);
      }
    }
    return names;
  }

  private static void habit(String reason, String pattern) {
    HABITS.put(reason, Pattern.compile(pattern));
  }
}
