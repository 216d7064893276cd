import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class InvertMap {
  public static <K, V> Map<V, List<K>> invert(Map<K, V> map) {
    Map<V, List<K>> inverted = new LinkedHashMap<>();
    map.forEach((key, value) -> inverted.computeIfAbsent(value, v -> new ArrayList<>()).add(key));
    return inverted;
  }
}
