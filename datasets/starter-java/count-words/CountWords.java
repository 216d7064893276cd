import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

public class CountWords {
  public static Map<String, Integer> countWords(String text) {
    Map<String, Integer> counts = new TreeMap<>();
    if (text == null) {
      return counts;
    }
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{Nd}]+")) {
      if (!word.isEmpty()) {
        counts.merge(word, 1, Integer::sum);
      }
    }
    return counts;
  }
}
