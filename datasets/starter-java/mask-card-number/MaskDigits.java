public class MaskDigits {
  public static String maskDigits(String number, int visible) {
    if (visible < 0) {
      throw new IllegalArgumentException("visible must not be negative: " + visible);
    }
    StringBuilder masked = new StringBuilder(number);
    int seen = 0;
    for (int i = masked.length() - 1; i >= 0; i--) {
      if (Character.isDigit(masked.charAt(i))) {
        seen++;
        if (seen > visible) {
          masked.setCharAt(i, '*');
        }
      }
    }
    return masked.toString();
  }
}
