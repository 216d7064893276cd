package com.polyassay.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.polyassay.wire.CompileMessages.Diagnostic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayerCompilerTests {
  private final LayerCompiler compiler = new LayerCompiler(List.of(), 1 << 16);

  @Test
  void laterLayersSeeEarlierOnes() {
    Map<String, byte[]> first =
        compile("p/A.java", "package p; public class A {}", Map.of()).classes();
    assertEquals(List.of("p.A"), List.copyOf(first.keySet()));
    assertTrue(compile("B.java", "class B extends p.A {}", first).good());
  }

  @Test
  void diagnosticsSayWhere() {
    Diagnostic found =
        compile("A.java", "class A {\n  int x = y;\n}", Map.of()).diagnostics().get(0);
    assertEquals("A.java", found.source());
    assertEquals(2, found.line());
    assertEquals(11, found.column());
    assertEquals("compiler.err.cant.resolve.location", found.code());
  }

  @Test
  void diagnosticsHaveALimit() {
    String source = "class A { int x = " + "y".repeat(10_000) + "; }";
    assertTrue(compile("A.java", source, Map.of()).diagnostics().get(0).message().length() < 2100);
  }

  @Test
  void deepNestingIsAnAnswer() {
    String deep = "(".repeat(20_000) + "1" + ")".repeat(20_000);
    assertEquals(
        "the source is nested too deeply for the compiler",
        compile("A.java", "class A { int x = " + deep + "; }", Map.of()).problem());
  }

  @Test
  void manyClassesAreAnAnswer() {
    StringBuilder source = new StringBuilder("class A {");
    for (int i = 0; i < 2000; i++) {
      source.append(i % 2 == 0 ? "static class B" : "interface B").append(i).append(" {}");
    }
    assertEquals(
        "it declares more than 2000 classes", compile("A.java", source + "}", Map.of()).problem());
  }

  @Test
  void largeOutputIsAnAnswer() {
    String large =
        "class A { String x = \""
            + "x".repeat(60_000)
            + "\", y = \""
            + "y".repeat(60_000)
            + "\"; }";
    assertEquals(
        "its class files exceed 65536 bytes", compile("A.java", large, Map.of()).problem());
  }

  @Test
  void declarationsAreReadFromClassFiles() {
    Map<String, byte[]> classes =
        compile(
                "A.java",
                "class A { static int f(String s) throws Exception { return 1; } }",
                Map.of())
            .classes();
    List<String> found = compiler.methods("A", "f", classes, List.of());
    assertEquals(1, found.size());
    assertTrue(found.get(0).startsWith("static int f(String "), found.get(0));
    assertTrue(found.get(0).endsWith(") throws Exception"), found.get(0));
  }

  @Test
  void librariesAreSeenByThoseWhoseTheyAre(@TempDir Path folder) throws IOException {
    Map<String, byte[]> classes =
        compile("p/A.java", "package p; public class A {}", Map.of()).classes();
    Path jar = folder.resolve("library.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("p/A.class"));
      out.write(classes.get("p.A"));
    }
    String source = "class B { p.A a; }";
    assertTrue(compile("B.java", source, Map.of(), List.of(jar.toString())).good());
    assertFalse(compile("B.java", source, Map.of()).good());
  }

  private Compiled compile(String path, String text, Map<String, byte[]> earlier) {
    return compile(path, text, earlier, List.of());
  }

  private Compiled compile(
      String path, String text, Map<String, byte[]> earlier, List<String> jars) {
    return compiler.compile(new Layer(Map.of(path, text), false, jars), earlier);
  }
}
