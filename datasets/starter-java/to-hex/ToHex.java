public class ToHex {
  public static String toHex(byte[] bytes, String separator) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      if (i > 0) {
        hex.append(separator);
      }
      hex.append(Character.forDigit(bytes[i] >> 4 & 0xF, 16));
      hex.append(Character.forDigit(bytes[i] & 0xF, 16));
    }
    return hex.toString();
  }
}
