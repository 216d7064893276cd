public class Kinds {
public static String kind(Object o) {
    return o instanceof Number n ? switch (n.intValue()) { case 0 -> "zero"; default -> "number"; } : "other";
}
}
