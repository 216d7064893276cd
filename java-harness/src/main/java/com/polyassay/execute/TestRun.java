package com.polyassay.execute;

import static org.junit.platform.launcher.EngineFilter.includeEngines;

import com.polyassay.guest.CandidateLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the wanted methods of test classes, on the JUnit Platform where they need it. */
final class TestRun {
  // JUnit leaves out its listeners for the Flight Recorder where this is set.
  private static final String WITHOUT_RECORDER = "org.graalvm.nativeimage.imagecode";
  private static final LauncherConfig CONFIG =
      LauncherConfig.builder()
          .enableLauncherDiscoveryListenerAutoRegistration(false)
          .enableLauncherSessionListenerAutoRegistration(false)
          .enablePostDiscoveryFilterAutoRegistration(false)
          .enableTestExecutionListenerAutoRegistration(false)
          .build();

  /** Every wanted name gets a result, unless one of them ends the run. */
  void run(
      CandidateLoader loader,
      List<String> testClasses,
      List<String> names,
      boolean vintage,
      Results to) {
    Thread.currentThread().setContextClassLoader(loader);
    Set<String> wanted = Set.copyOf(names);
    MethodResults results = new MethodResults(loader, wanted, to);
    try {
      List<Class<?>> classes = load(loader, testClasses);
      PlainTests plain = vintage ? null : PlainTests.of(loader, classes, wanted);
      if (plain == null) {
        runOnPlatform(classes, wanted, vintage, results);
      } else if (!plain.run(new Failures(loader), results)) {
        return;
      }
    } catch (Throwable thrown) {
      if (results.brokeOff(thrown)) {
        return;
      }
    } finally {
      Thread.currentThread().setContextClassLoader(TestRun.class.getClassLoader());
    }
    results.finishMissing(names);
  }

  private static void runOnPlatform(
      List<Class<?>> classes, Set<String> wanted, boolean vintage, MethodResults results) {
    try (LauncherSession session = openSession()) {
      session.getLauncher().execute(request(classes, wanted, vintage), results);
    }
  }

  /**
   * A session of its own for each request, so that nothing of JUnit's outlives it.
   *
   * <p>Without its Flight Recorder's listeners, whose classes the JDK writes anew in each JVM: they
   * took a quarter of the CPU time of a JVM that serves one candidate, 0.13 to 0.20 s on JDK 17.
   * The property is gone before any class of the candidate's or the tests' is loaded.
   */
  private static LauncherSession openSession() {
    System.setProperty(WITHOUT_RECORDER, "runtime");
    try {
      return LauncherFactory.openSession(CONFIG);
    } finally {
      System.clearProperty(WITHOUT_RECORDER);
    }
  }

  private static List<Class<?>> load(ClassLoader loader, List<String> names)
      throws ClassNotFoundException {
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      classes.add(loader.loadClass(name));
    }
    return classes;
  }

  private static LauncherDiscoveryRequest request(
      List<Class<?>> testClasses, Set<String> wanted, boolean vintage) {
    PostDiscoveryFilter named =
        test ->
            FilterResult.includedIf(wanted.contains(MethodResults.nameOf(test)) || !test.isTest());
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(testClasses.stream().map(DiscoverySelectors::selectClass).toList())
        .filters(includeEngines(vintage ? "junit-vintage" : "junit-jupiter"), named)
        .configurationParameter("junit.platform.output.capture.stdout", "false")
        .build();
  }
}
