package com.polyassay.execute;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;
import org.junit.jupiter.api.io.TempDirFactory;
import org.opentest4j.TestAbortedException;

/** The folders of one test, for the fields with a {@code @TempDir} that asks for nothing more. */
final class TempFolders {
  private static final TempDirDeletionStrategy DELETION = TempDirDeletionStrategy.Standard.INSTANCE;

  private final List<Path> made = new ArrayList<>();

  /** Whether JUnit would put a folder into it before each test, and delete that afterwards. */
  static boolean fill(Field field) {
    Annotation[] annotations = field.getAnnotations();
    int not = Modifier.STATIC | Modifier.FINAL;
    return annotations.length == 1
        && annotations[0] instanceof TempDir asked
        && asked.factory() == TempDirFactory.class
        && asked.cleanup() == CleanupMode.DEFAULT
        && asked.deletionStrategy() == TempDirDeletionStrategy.class
        && (field.getModifiers() & not) == 0
        && (field.getType() == Path.class || field.getType() == File.class);
  }

  /** Fills the fields of the object that a test is run on. */
  void giveTo(Object test) throws IllegalAccessException {
    for (Field each : test.getClass().getDeclaredFields()) {
      if (fill(each)) {
        Path folder = make();
        each.setAccessible(true);
        each.set(test, each.getType() == Path.class ? folder : folder.toFile());
      }
    }
  }

  private Path make() {
    try {
      Path folder = Files.createTempDirectory("junit-");
      made.add(folder);
      return folder;
    } catch (IOException e) {
      String why = "Failed to create default temp directory";
      throw new ExtensionConfigurationException(why, e);
    }
  }

  /** Deletes them by JUnit's own code; gives what is then known of what the test has thrown. */
  Throwable delete(Throwable thrown) {
    Throwable all = thrown;
    for (Path each : made) {
      all = both(all, problemOfDeleting(each));
    }
    return all;
  }

  private static Throwable problemOfDeleting(Path folder) {
    try {
      return Files.exists(folder)
          ? DELETION.delete(folder, null, null).toException().orElse(null)
          : null;
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  /** The first counts, unless it says only that the test did not apply. */
  private static Throwable both(Throwable first, Throwable second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    boolean aborted = first instanceof TestAbortedException;
    (aborted ? second : first).addSuppressed(aborted ? first : second);
    return aborted ? second : first;
  }
}
