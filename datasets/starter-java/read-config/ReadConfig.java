import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

public class ReadConfig {
  public static Map<String, String> readConfig(String path) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of(path))) {
      int equals = line.indexOf('=');
      if (equals >= 0 && !line.trim().startsWith("#")) {
        settings.put(line.substring(0, equals).trim(), line.substring(equals + 1).trim());
      }
    }
    return settings;
  }
}
