package com.polyassay.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CandidateLoaderTests {
  private static final String NAME = "library.Thing";

  @Test
  void classesAndFilesOfLibrariesAreFound(@TempDir Path folder) throws Exception {
    String jar = jar(folder);
    try (CandidateLoader loader = new CandidateLoader(Map.of(), List.of(jar))) {
      assertSame(loader, loader.loadClass(NAME).getClassLoader());
      assertNotNull(loader.getResource("library/words.txt"));
      assertNull(loader.getResource("library/other.txt"));
      assertThrows(ClassNotFoundException.class, () -> loader.loadClass("library.Other"));
    }
  }

  @Test
  void aCandidatesOwnClassGoesBeforeALibrarys(@TempDir Path folder) throws Exception {
    String jar = jar(folder);
    Map<String, byte[]> own =
        Map.of(NAME, Files.readAllBytes(folder.resolve("library/Thing.class")));
    try (CandidateLoader loader = new CandidateLoader(own, List.of(jar))) {
      assertNull(loader.loadClass(NAME).getProtectionDomain().getCodeSource().getLocation());
    }
  }

  @Test
  void everyCandidateHasLibrariesOfItsOwn(@TempDir Path folder) throws Exception {
    List<String> jars = List.of(jar(folder));
    try (CandidateLoader one = new CandidateLoader(Map.of(), jars);
        CandidateLoader other = new CandidateLoader(Map.of(), jars)) {
      assertSame(one, one.loadClass(NAME).getClassLoader());
      assertSame(other, other.loadClass(NAME).getClassLoader());
    }
  }

  /** A jar of one class and one file, made of a source beside it. */
  private static String jar(Path folder) throws IOException {
    Path source =
        Files.writeString(folder.resolve("Thing.java"), "package library; class Thing {}");
    String[] arguments = {"-d", folder.toString(), source.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
    Path jar = folder.resolve("library.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("library/Thing.class"));
      out.write(Files.readAllBytes(folder.resolve("library/Thing.class")));
      out.putNextEntry(new JarEntry("library/words.txt"));
    }
    return jar.toString();
  }
}
