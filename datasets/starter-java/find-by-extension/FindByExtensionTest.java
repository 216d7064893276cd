import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindByExtensionTest {
  @TempDir Path folder;

  @Test
  void findsFilesAtAnyDepth() throws IOException {
    assertEquals(
        List.of("docs/deep/plan.md", "docs/index.md", "readme.md"),
        FindByExtension.findByExtension("tree", "md"));
  }

  @Test
  void ignoresCase() throws IOException {
    assertEquals(
        List.of("docs/deep/b.csv", "docs/table.CSV"),
        FindByExtension.findByExtension("tree", "Csv"));
  }

  @Test
  void skipsFoldersAndNamesWithoutDot() throws IOException {
    assertEquals(List.of("a.txt", "old.txt/z.txt"), FindByExtension.findByExtension("tree", "txt"));
  }

  @Test
  void takesSubfolderAsRoot() throws IOException {
    assertEquals(
        List.of("deep/plan.md", "index.md"), FindByExtension.findByExtension("tree/docs", "md"));
  }

  @Test
  void nothingFoundGivesEmptyList() throws IOException {
    assertEquals(List.of(), FindByExtension.findByExtension(folder.toString(), "md"));
    assertEquals(List.of(), FindByExtension.findByExtension("tree", "java"));
  }

  @Test
  void sortsAsStrings() throws IOException {
    for (String name : List.of("b.log", "a10.log", "a2.log", "Z.log")) {
      Files.writeString(folder.resolve(name), name);
    }
    assertEquals(
        List.of("Z.log", "a10.log", "a2.log", "b.log"),
        FindByExtension.findByExtension(folder.toString(), "log"));
  }

  @Test
  void missingFolderThrows() {
    assertThrows(IOException.class, () -> FindByExtension.findByExtension("no-such-tree", "md"));
  }
}
