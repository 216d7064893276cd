import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

public class LargestItems {
  public static <T extends Comparable<T>> List<T> largest(Collection<T> items, int count) {
    return items.stream()
        .sorted(Collections.reverseOrder())
        .limit(Math.max(0, count))
        .collect(Collectors.toList());
  }
}
