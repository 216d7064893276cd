package com.polyassay.guest;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/** The working directory, which every candidate gets afresh. */
public final class Scratch {
  /** Names the folder that a sandbox has made for its guest. */
  public static final String VARIABLE = "POLYASSAY_SCRATCH";

  private final Path root;

  private Scratch(Path root) {
    this.root = root;
  }

  /**
   * The working directory, if a sandbox has made it for this process.
   *
   * @throws IOException for any other folder, because what is in it would be deleted
   */
  public static Scratch ours() throws IOException {
    return of(Path.of(""), System.getenv(VARIABLE));
  }

  static Scratch of(Path folder, String made) throws IOException {
    Path root = folder.toRealPath();
    if (made == null || !root.equals(Path.of(made).toRealPath())) {
      throw new IOException(root + " is no folder that a sandbox made for this process");
    }
    return new Scratch(root);
  }

  /** Empties the folder and writes these files into it. */
  public void reset(Map<String, byte[]> files) throws IOException {
    empty(root);
    for (Map.Entry<String, byte[]> each : files.entrySet()) {
      Path file = root.resolve(each.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
  }

  private static void empty(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failed)
              throws IOException {
            if (!folder.equals(root)) {
              Files.delete(folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
