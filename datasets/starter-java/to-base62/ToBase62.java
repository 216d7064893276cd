public class ToBase62 {
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  public static String toBase62(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("value must not be negative: " + value);
    }
    StringBuilder reversed = new StringBuilder();
    long rest = value;
    do {
      reversed.append(DIGITS.charAt((int) (rest % 62)));
      rest /= 62;
    } while (rest > 0);
    return reversed.reverse().toString();
  }
}
