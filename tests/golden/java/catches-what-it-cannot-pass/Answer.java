public class Plain {
  public static boolean isPlain(Object value) {
    return value instanceof String || value instanceof Integer;
  }
}
