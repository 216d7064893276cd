import java.util.Locale;

public class SnakeToCamel {
  public static String toCamelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String part : name.toLowerCase(Locale.ROOT).split("_")) {
      if (part.isEmpty()) {
        continue;
      }
      if (camel.length() == 0) {
        camel.append(part);
      } else {
        camel.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
      }
    }
    return camel.toString();
  }
}
