package com.polyassay.guest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTests {
  @TempDir Path folder;
  private Path kept;

  @BeforeEach
  void fill() throws IOException {
    kept = Files.writeString(folder.resolve("kept"), "precious");
  }

  @Test
  void refusesAFolderThatNoSandboxMade() throws IOException {
    assertThrows(IOException.class, () -> Scratch.of(folder, null));
    Path other = Files.createDirectory(folder.resolve("other"));
    assertThrows(IOException.class, () -> Scratch.of(folder, other.toString()));
    assertThrows(IOException.class, () -> Scratch.of(folder, "/no/such/folder"));
    assertThrows(IOException.class, Scratch::ours);
    assertEquals("precious", Files.readString(kept));
  }

  @Test
  void emptiesItsOwnAndLaysFilesOut() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.getParent());
    Scratch scratch = Scratch.of(folder, folder.toString());
    scratch.reset(Map.of("a/b", "text".getBytes(UTF_8)));
    assertFalse(Files.exists(kept) || Files.exists(link));
    assertTrue(Files.isDirectory(folder.getParent()));
    assertArrayEquals("text".getBytes(UTF_8), Files.readAllBytes(folder.resolve("a/b")));
  }
}
