import java.util.AbstractList;
import java.util.List;

/** Throws nothing, but what it returns makes whoever copies it throw. */
public class Nest {
  public static Object nest(int depth) {
    if (depth == 0) {
      return new AbstractList<>() {
        @Override
        public Object get(int index) {
          throw new IllegalStateException();
        }

        @Override
        public int size() {
          throw new IllegalStateException();
        }
      };
    }
    Object nest = "";
    for (int i = 0; i < 1000; i++) {
      nest = List.of(nest);
    }
    return nest;
  }
}
