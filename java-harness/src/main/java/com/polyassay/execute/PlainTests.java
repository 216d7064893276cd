package com.polyassay.execute;

import com.polyassay.execute.Results.Result;
import com.polyassay.guest.Switches;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Runs tests that ask JUnit for nothing but {@code @Test}, and for fields with {@code @TempDir}, as
 * its engine does, without the engine.
 *
 * <p>Most of what a JVM costs that serves one candidate is the start of JUnit's engine. A class
 * with any other annotation, with a parameter or with a superclass of its own goes to JUnit, and so
 * does all where a property could change how JUnit runs tests. PlainTestsTests holds the two
 * against each other. Gain: {@code tools/bench-java --without plain_tests}, see docs/benchmarks.md.
 */
final class PlainTests {
  private static final boolean WITHOUT = Switches.off("plain_tests");
  private static final Result PASSED = new Result("passed", "");
  private static final String SETTINGS = "junit-platform.properties";

  private final List<Method> tests;

  private PlainTests(List<Method> tests) {
    this.tests = tests;
  }

  /** Null where JUnit's engine has to run the tests. */
  static PlainTests of(ClassLoader loader, List<Class<?>> classes, Set<String> wanted) {
    if (WITHOUT || isConfigured() || loader.getResource(SETTINGS) != null) {
      return null;
    }
    List<Method> tests = new ArrayList<>();
    try {
      for (Class<?> each : classes) {
        if (!isPlain(each) || !addTests(each, tests)) {
          return null;
        }
      }
    } catch (LinkageError e) {
      return null; // JUnit says what is missing
    }
    tests.removeIf(test -> !wanted.contains(test.getName()));
    return new PlainTests(tests);
  }

  private static boolean isConfigured() {
    for (Object name : System.getProperties().keySet()) {
      String text = name.toString();
      if (text.startsWith("junit.jupiter.") || text.startsWith("junit.platform.")) {
        return true;
      }
    }
    return false;
  }

  /** Nothing but its own methods can be tests or have a say in how they run. */
  private static boolean isPlain(Class<?> type) {
    if (type.getEnclosingClass() != null
        || !isOfTheJdk(type.getSuperclass())
        || isAnnotated(type)
        || isAnyAnnotated(type.getDeclaredClasses())
        || isAnyAnnotated(type.getDeclaredConstructors())) {
      return false;
    }
    for (Field each : type.getDeclaredFields()) {
      if (isAnnotated(each) && !TempFolders.fill(each)) {
        return false;
      }
    }
    for (Class<?> each : type.getInterfaces()) {
      if (!isOfTheJdk(each)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfTheJdk(Class<?> type) {
    return type == null || type.getClassLoader() == null;
  }

  private static boolean isAnyAnnotated(AnnotatedElement... elements) {
    for (AnnotatedElement each : elements) {
      if (isAnnotated(each)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnnotated(AnnotatedElement element) {
    return element.getAnnotations().length > 0;
  }

  /** False where one of its methods is more than a plain test, or less. */
  private static boolean addTests(Class<?> type, List<Method> tests) {
    List<Method> own = new ArrayList<>();
    for (Method each : type.getDeclaredMethods()) {
      Annotation[] annotations = each.getAnnotations();
      if (annotations.length > 0) {
        if (annotations.length > 1 || !(annotations[0] instanceof Test) || !isTest(each)) {
          return false;
        }
        own.add(each);
      }
    }
    own.sort(PlainTests::inJunitsOrder);
    tests.addAll(own);
    return own.isEmpty() || isMadeWithoutArguments(type);
  }

  private static boolean isTest(Method method) {
    int not = Modifier.STATIC | Modifier.PRIVATE | Modifier.ABSTRACT;
    return (method.getModifiers() & not) == 0
        && method.getReturnType() == void.class
        && method.getParameterCount() == 0;
  }

  private static boolean isMadeWithoutArguments(Class<?> type) {
    Constructor<?>[] constructors = type.getDeclaredConstructors();
    return constructors.length == 1
        && constructors[0].getParameterCount() == 0
        && !Modifier.isAbstract(type.getModifiers())
        && !Modifier.isPrivate(type.getModifiers());
  }

  private static int inJunitsOrder(Method one, Method two) {
    return Integer.compare(one.getName().hashCode(), two.getName().hashCode()) == 0
        ? one.getName().compareTo(two.getName())
        : Integer.compare(one.getName().hashCode(), two.getName().hashCode());
  }

  /** Runs the tests; false where one filled the heap, after which no other runs. */
  boolean run(Failures failures, MethodResults results) {
    for (Method each : tests) {
      results.start(each.getName());
      long start = System.nanoTime();
      Throwable thrown = thrownBy(each);
      Result result = thrown == null ? PASSED : result(failures, thrown);
      results.finish(each.getName(), result.lasting((System.nanoTime() - start) / 1e9));
      if (thrown instanceof OutOfMemoryError) {
        return false;
      }
      Thread.interrupted(); // is forgotten before the next test, as in JUnit
    }
    return true;
  }

  private static Result result(Failures failures, Throwable thrown) {
    return thrown instanceof TestAbortedException
        ? failures.skipped(thrown)
        : failures.result(thrown);
  }

  /** Each test has an object of its own. */
  private static Throwable thrownBy(Method test) {
    TempFolders folders = new TempFolders();
    Throwable thrown = null;
    try {
      Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      Object made = constructor.newInstance();
      folders.giveTo(made);
      test.setAccessible(true);
      test.invoke(made);
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    } catch (Throwable other) {
      thrown = other;
    }
    return folders.delete(thrown);
  }
}
