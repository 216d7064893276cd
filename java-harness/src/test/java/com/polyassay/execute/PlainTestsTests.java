package com.polyassay.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.polyassay.compile.Compiled;
import com.polyassay.compile.Layer;
import com.polyassay.compile.LayerCompiler;
import com.polyassay.guest.CandidateLoader;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the same tests with JUnit's engine and without: a class that inherits them goes to JUnit.
 */
class PlainTestsTests {
  private static final LayerCompiler COMPILER = new LayerCompiler(ownJars(), 1 << 20);
  private static final List<String> NAMES =
      List.of("a", "b", "c", "d", "first", "Aa", "BB", "second", "third", "missing");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Test void a() { assertEquals(1, 1); } @Test void b() { assertEquals(1, 2, \"two\"); }",
        "@Test void a() throws Exception { throw new java.io.IOException(\"closed\"); }",
        "@Test void a() throws Throwable { throw new Throwable(); } @Test void b() {}",
        "@Test void a() { throw new Error(\"own\") { }; } @Test void b() { int[] n = {}; n[1]++; }",
        "@Test void a() { assumeTrue(false, \"not here\"); } @Test void b() {}",
        "@Test void a() { a(); } @Test void b() {}",
        "@Test void b() {} @Test void a() { throw new OutOfMemoryError(\"full\"); } @Test void c()"
            + " {}",
        "@Test void a() { throw new Error(new OutOfMemoryError()); } @Test void b() {}",
        "@Test void a() { Thread.currentThread().interrupt(); }"
            + " @Test void b() { assertFalse(Thread.currentThread().isInterrupted()); }",
        "int n; @Test void a() { assertEquals(1, ++n); } @Test void b() { assertEquals(1, ++n); }",
        "@Test void Aa() {} @Test void BB() {} @Test void third() {} @Test void first() {}"
            + " @Test void second() {} @Test void d() {} @Test void c() {} @Test void b() {}",
        "@Test void notWanted() { System.exit(1); } @Test public void a() {} void b() {}",
        "Sample() { throw new IllegalStateException(\"not made\"); } @Test void a() {}",
        "static int n = 1 / (int) 0L; @Test void a() {} @Test void b() {}",
        "@Test void a() { new Object() { @Override public String toString() { return null; } }; }",
        "@Test void a() { Runnable r = () -> fail(\"in a lambda\"); r.run(); }",
        "@Test void a() { throw null; }",
        "@TempDir Path one; @TempDir File two; @Test void a() throws Exception {"
            + " assertTrue(one.getFileName().toString().startsWith(\"junit-\"));"
            + " Files.writeString(one.resolve(\"x\"), \"1\"); assertEquals(0, two.list().length);"
            + " }",
        "static Path last; @TempDir private Path folder; @Test void b() { a(); } @Test void a() {"
            + " assertEquals(0, folder.toFile().list().length);"
            + " if (last != null) assertFalse(Files.exists(last), \"still there\");"
            + " folder.resolve(\"x/y\").toFile().mkdirs(); last = folder; }",
        "@TempDir Path folder; @Test void a() throws Exception { Files.delete(folder); }",
        "@TempDir Path folder; @Test void a() throws Exception { Files.delete(folder);"
            + " Files.createSymbolicLink(folder, folder.resolveSibling(\"nowhere\")); }",
        "@TempDir Path folder; @Test void a() throws Exception {"
            + " Files.createSymbolicLink(folder.resolve(\"x\"), folder); fail(\"own\"); }",
        "@TempDir Path folder; @Test void a() throws Exception {"
            + " folder.toFile().setWritable(false); assumeTrue(folder == null); }",
        "@TempDir Path folder; Sample() { if (folder == null) throw new Error(\"too early\"); }"
            + " @Test void a() {}",
        "@Test void a() { System.out.println(Thread.currentThread().getContextClassLoader()"
            + ".getClass().getName().equals(getClass().getClassLoader().getClass().getName())); }",
        "",
      })
  void resultsAreThoseOfJunit(String body) throws Exception {
    Compiled sample = compiled("class Sample {" + body + "} class Sub extends Sample {}");
    CandidateLoader loader = loaderOf(sample);
    assertNotNull(plain(loader, "Sample"));
    assertNull(plain(loader, "Sub"));
    assertEquals(results(sample, "Sub"), results(sample, "Sample"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class Sample { @BeforeEach void before() {} @Test void a() {} }",
        "class Sample { @Test @DisplayName(\"named\") void a() {} }",
        "@Disabled class Sample { @Test void a() {} }",
        "class Sample { @RepeatedTest(2) void a() {} }",
        "class Sample { @Test void a(TestInfo info) {} }",
        "class Sample { @Test static void a() {} }",
        "class Sample { @Test private void a() {} }",
        "class Sample { @Test int a() { return 1; } }",
        "class Sample { Sample(TestInfo info) {} @Test void a() {} }",
        "class Sample { Sample() {} Sample(int n) {} @Test void a() {} }",
        "abstract class Sample { @Test void a() {} }",
        "class Sample { @TempDir static Path folder; @Test void a() {} }",
        "class Sample { @TempDir final Path folder = null; @Test void a() {} }",
        "class Sample { @TempDir String folder; @Test void a() {} }",
        "class Sample { @TempDir @Deprecated Path folder; @Test void a() {} }",
        "class Sample { @TempDir(cleanup = CleanupMode.NEVER) Path folder; @Test void a() {} }",
        "class Sample { @Test void a(@TempDir Path folder) {} }",
        "class Sample { @Nested class Inner { @Test void a() {} } }",
        "interface Base { @Test default void a() {} } class Sample implements Base {}",
      })
  void whateverIsMoreIsLeftToJunit(String source) throws Exception {
    assertNull(plain(loaderOf(compiled(source)), "Sample"));
  }

  @Test
  void testsThatAPropertyMayConfigureAreLeftToJunit() throws Exception {
    CandidateLoader loader = loaderOf(compiled("class Sample { @Test void a() {} }"));
    System.setProperty("junit.jupiter.sample", "yes");
    try {
      assertNull(plain(loader, "Sample"));
    } finally {
      System.clearProperty("junit.jupiter.sample");
    }
    assertNotNull(plain(loader, "Sample"));
  }

  private static List<File> ownJars() {
    List<File> jars = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
      jars.add(new File(path));
    }
    return jars;
  }

  private static Compiled compiled(String source) {
    String imports =
        "import static org.junit.jupiter.api.Assertions.*;import static"
            + " org.junit.jupiter.api.Assumptions.*; import org.junit.jupiter.api.*;"
            + " import org.junit.jupiter.api.io.*; import java.io.File; import java.nio.file.*;\n";
    Compiled compiled =
        COMPILER.compile(
            new Layer(Map.of("Sample.java", imports + source), true, List.of()), Map.of());
    assertEquals(List.of(), compiled.diagnostics());
    return compiled;
  }

  private static CandidateLoader loaderOf(Compiled compiled) {
    return new CandidateLoader(compiled.classes(), List.of());
  }

  private static PlainTests plain(CandidateLoader loader, String name) throws Exception {
    return PlainTests.of(loader, List.of(loader.loadClass(name)), Set.copyOf(NAMES));
  }

  /** What is heard of the tests of one class, in order and without times. */
  private static List<String> results(Compiled compiled, String testClass) {
    List<String> heard = new ArrayList<>();
    Results results =
        new Results() {
          @Override
          public void started(String name) {
            heard.add("started " + name);
          }

          @Override
          public void finished(String name, Result result) {
            String text = "finished " + name + " " + result.lasting(0);
            heard.add(text.replace("class Sub", "class Sample"));
          }
        };
    new TestRun().run(loaderOf(compiled), List.of(testClass), NAMES, false, results);
    return heard;
  }
}
