public class GcdOfAll {
  public static long gcd(long... values) {
    long result = 0;
    for (long value : values) {
      long a = result;
      long b = Math.abs(value);
      while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
      }
      result = a;
    }
    return result;
  }
}
