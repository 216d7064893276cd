public class Shouts {
@Deprecated
public static String shout(String s) {
    return helper(s) + new Mark().text;
}

static String helper(String s) {
    return s.toUpperCase();
}

static class Mark {
    String text = "!";
}
}
