import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

public class CountLines {
  public static long countNonBlankLines(String path) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of(path))) {
      return lines.filter(line -> !line.isBlank()).count();
    }
  }
}
