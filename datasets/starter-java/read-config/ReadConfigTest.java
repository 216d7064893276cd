import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadConfigTest {
  @TempDir Path folder;

  private Map<String, String> read(String content) throws IOException {
    Path file = folder.resolve("test.conf");
    Files.writeString(file, content);
    return ReadConfig.readConfig(file.toString());
  }

  @Test
  void readsWholeFile() throws IOException {
    assertEquals(
        Map.of("host", "localhost", "port", "8080", "greeting", "\u4f60\u597d", "query", "a=1&b=2"),
        ReadConfig.readConfig("config/server.conf"));
  }

  @Test
  void trimsKeysAndValues() throws IOException {
    assertEquals(Map.of("name", "grey heron"), read("  name\t=   grey heron  \n"));
  }

  @Test
  void splitsAtFirstEqualsSign() throws IOException {
    assertEquals(Map.of("formula", "x = y = z"), read("formula = x = y = z"));
  }

  @Test
  void skipsCommentsAndNoise() throws IOException {
    assertEquals(Map.of("a", "1"), read("# b = 2\n\n   \njust words\na=1\n  # c = 3\n"));
  }

  @Test
  void keepsHashInsideValue() throws IOException {
    assertEquals(Map.of("colour", "#ff8800"), read("colour = #ff8800\n"));
  }

  @Test
  void lastValueWins() throws IOException {
    assertEquals(Map.of("level", "debug", "x", "1"), read("level=info\nx=1\nlevel=debug\n"));
  }

  @Test
  void keepsEmptyValue() throws IOException {
    assertEquals(Map.of("proxy", ""), read("proxy =\n"));
  }

  @Test
  void missingFileThrows() {
    assertThrows(IOException.class, () -> ReadConfig.readConfig("config/missing.conf"));
  }
}
