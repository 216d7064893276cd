public class TruncateUtf8 {
  public static String truncateUtf8(String text, int maxBytes) {
    int bytes = 0;
    int end = 0;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      bytes += encodedLength(codePoint);
      if (bytes > maxBytes) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return text.substring(0, end);
  }

  private static int encodedLength(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
