public class PadLeft {
  public static String padLeft(String text, char fill, int length) {
    String value = text == null ? "" : text;
    int missing = Math.max(0, length - value.length());
    return String.valueOf(fill).repeat(missing) + value;
  }
}
