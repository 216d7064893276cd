import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountLinesTest {
  @TempDir Path folder;

  @Test
  void countsPlainLines() throws IOException {
    assertEquals(4, CountLines.countNonBlankLines("notes/plain.txt"));
  }

  @Test
  void skipsBlankLines() throws IOException {
    assertEquals(3, CountLines.countNonBlankLines("notes/gaps.txt"));
  }

  @Test
  void emptyAndBlankFilesHaveNone() throws IOException {
    Path file = folder.resolve("blank.txt");
    Files.writeString(file, "");
    assertEquals(0, CountLines.countNonBlankLines(file.toString()));
    Files.writeString(file, "\n  \n\t\n");
    assertEquals(0, CountLines.countNonBlankLines(file.toString()));
    Files.writeString(file, "\n  \n\tx\n");
    assertEquals(1, CountLines.countNonBlankLines(file.toString()));
  }

  @Test
  void countsLastLineWithoutBreak() throws IOException {
    Path file = folder.resolve("open.txt");
    Files.writeString(file, "one\ntwo\n\nthree");
    assertEquals(3, CountLines.countNonBlankLines(file.toString()));
  }

  @Test
  void knowsWindowsLineBreaks() throws IOException {
    Path file = folder.resolve("windows.txt");
    Files.writeString(file, "one\r\n\r\n \r\ntwo\r\n");
    assertEquals(2, CountLines.countNonBlankLines(file.toString()));
  }

  @Test
  void readsUtf8() throws IOException {
    assertEquals(2, CountLines.countNonBlankLines("notes/poem.txt"));
  }

  @Test
  void missingFileThrows() {
    assertThrows(IOException.class, () -> CountLines.countNonBlankLines("notes/nowhere.txt"));
  }
}
