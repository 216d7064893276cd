public class Picker {
  @SuppressWarnings("removal")
  public static Object pick(String what, String text, Long number, int[] array) {
    switch (what) {
      case "text":
        return text;
      case "number":
        return number;
      case "array":
        return array;
      case "constant":
        return "constant";
      case "five":
        return 5L;
      case "copy of text":
        return new String(text);
      case "new five":
        return new Long(5);
      case "thousand":
        return 1000L;
      case "copy of array":
        return array.clone();
      default:
        array[0]++;
        return array;
    }
  }
}
