import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class MostFrequent {
  public static <T> T mostFrequent(List<T> items) {
    Map<T, Integer> counts = new LinkedHashMap<>();
    for (T item : items) {
      counts.merge(item, 1, Integer::sum);
    }
    T best = null;
    int bestCount = 0;
    for (Map.Entry<T, Integer> entry : counts.entrySet()) {
      if (entry.getValue() > bestCount) {
        best = entry.getKey();
        bestCount = entry.getValue();
      }
    }
    return best;
  }
}
