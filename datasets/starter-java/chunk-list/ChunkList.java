import java.util.ArrayList;
import java.util.List;

public class ChunkList {
  public static <T> List<List<T>> chunk(List<T> items, int size) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1: " + size);
    }
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < items.size(); from += size) {
      int to = Math.min(items.size(), from + size);
      chunks.add(new ArrayList<>(items.subList(from, to)));
    }
    return chunks;
  }
}
