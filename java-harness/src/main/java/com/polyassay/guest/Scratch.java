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
  private Scratch() {}

  public static void reset(Path folder, Map<String, byte[]> files) throws IOException {
    Path root = folder.toAbsolutePath();
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
