import java.util.*;
public class Uniques {
public static List<String> uniques(List<String> names) {
    return new ArrayList<>(new LinkedHashSet<>(names));
}
}
