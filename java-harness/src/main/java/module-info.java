/** Compiles candidates (trusted), and runs them (in the sandbox). */
module com.polyassay.harness {
  // Each process resolves only what it needs: see the argument lists in the runner.
  requires java.logging; // as JUnit does
  requires static java.compiler;
  requires static java.management;
  requires static jdk.compiler;
  requires static org.junit.jupiter.api;
  requires static org.junit.platform.launcher;
  requires static py4j;

  // Stubs call it; it does nothing without a runner that answers.
  exports com.polyassay.apart;
}
