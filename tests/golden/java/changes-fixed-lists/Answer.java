import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Backwards {
  public static List<Integer> turn(List<Integer> all) {
    Collections.reverse(all);
    return Collections.synchronizedList(new ArrayList<>(all));
  }
}
