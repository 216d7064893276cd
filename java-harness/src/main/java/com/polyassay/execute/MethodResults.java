package com.polyassay.execute;

import com.polyassay.execute.Results.Result;
import com.polyassay.guest.CandidateLoader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Gathers results by method: what a method repeats, or makes as it goes, must all pass.
 *
 * <p>A method is finished when its own node is, or the class that it stands in.
 */
final class MethodResults implements TestExecutionListener {
  private final Failures failures;
  private final Set<String> wanted;
  private final Results results;
  private final Map<String, Method> running = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private Result classFailed;
  private TestPlan plan;

  MethodResults(CandidateLoader loader, Set<String> wanted, Results results) {
    this.failures = new Failures(loader);
    this.wanted = wanted;
    this.results = results;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    TestIdentifier top = methodNode(test);
    if (top != null && !running.containsKey(top.getUniqueId())) {
      String name = nameOf(top.getSource(), top.getDisplayName());
      running.put(top.getUniqueId(), new Method(name, System.nanoTime()));
      results.started(name);
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    TestIdentifier top = methodNode(test);
    Result skipped = new Result("skipped", reason);
    if (top == null) {
      classFailed = classFailed == null ? skipped : classFailed;
    } else if (top.equals(test)) {
      finish(nameOf(top.getSource(), top.getDisplayName()), skipped);
    } else {
      running.get(top.getUniqueId()).add(skipped);
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult ended) {
    TestIdentifier top = methodNode(test);
    Result result = failures.result(ended);
    if (top == null) {
      if (!result.status().equals("passed") && classFailed == null) {
        classFailed = result;
      }
      return;
    }
    Method method = running.get(top.getUniqueId());
    if (test.isTest() || !result.status().equals("passed")) {
      method.add(result);
    }
    if (top.equals(test)) {
      running.remove(top.getUniqueId());
      finish(method.name, method.result());
    }
  }

  /**
   * Takes what JUnit itself does not survive, such as a full heap, as the running method's result.
   *
   * @return whether a method was running; the others' results are then still to be found out
   */
  boolean brokeOff(Throwable thrown) {
    classFailed = failures.result(thrown);
    Set<String> names = new HashSet<>();
    running.values().forEach(method -> names.add(method.name));
    names.forEach(name -> finish(name, classFailed));
    return !names.isEmpty();
  }

  /** Gives those that never ran the reason of their class, or says that nothing ran them. */
  void finishMissing(List<String> names) {
    for (String name : names) {
      if (!done.contains(name)) {
        finish(
            name,
            classFailed != null
                ? classFailed
                : new Result("error", "the test class has no such test"));
      }
    }
  }

  /** Says that a test begins which JUnit does not run. */
  void start(String name) {
    results.started(name);
  }

  void finish(String name, Result result) {
    if (wanted.contains(name)) {
      done.add(name);
      results.finished(name, result);
    }
  }

  /** The outermost node of the method that a test belongs to; null for classes and engines. */
  private TestIdentifier methodNode(TestIdentifier test) {
    TestIdentifier found = isMethod(test) ? test : null;
    for (Optional<TestIdentifier> up = plan.getParent(test);
        up.isPresent();
        up = plan.getParent(up.get())) {
      if (isMethod(up.get())) {
        found = up.get();
      }
    }
    return found;
  }

  private static boolean isMethod(TestIdentifier test) {
    return test.isTest() || test.getSource().filter(MethodSource.class::isInstance).isPresent();
  }

  static String nameOf(TestDescriptor test) {
    return nameOf(test.getSource(), test.getDisplayName());
  }

  private static String nameOf(Optional<TestSource> source, String otherwise) {
    return source
        .filter(MethodSource.class::isInstance)
        .map(method -> ((MethodSource) method).getMethodName())
        .orElseGet(() -> otherwise.replaceFirst("\\[.*", ""));
  }

  /** One method's results so far; the first that is not a pass stands for all. */
  private static final class Method {
    private final String name;
    private final long start;
    private Result worst;

    Method(String name, long start) {
      this.name = name;
      this.start = start;
    }

    void add(Result result) {
      if (worst == null || worst.status().equals("passed")) {
        worst = result;
      }
    }

    Result result() {
      double seconds = (System.nanoTime() - start) / 1e9;
      Result result = worst == null ? new Result("error", "the method ran no test") : worst;
      return result.lasting(seconds);
    }
  }
}
