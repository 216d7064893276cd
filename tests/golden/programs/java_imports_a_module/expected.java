import java.util.*;
import java.util.stream.*;
import module java.base;

public class Evens {
    public static List<Integer> evens(int n) {
        return IntStream.range(0, n).map(i -> 2 * i).boxed().toList();
    }
}
