import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class FindByExtension {
  public static List<String> findByExtension(String root, String extension) throws IOException {
    Path base = Path.of(root);
    String ending = "." + extension.toLowerCase(Locale.ROOT);
    try (Stream<Path> paths = Files.walk(base)) {
      return paths
          .filter(Files::isRegularFile)
          .filter(path -> path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(ending))
          .map(path -> base.relativize(path).toString().replace('\\', '/'))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
