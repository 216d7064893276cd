public class Blanks {
public static int blanks(String s) {
    int n = 0;
    for (char c : s.toCharArray()) {
        if (c == ' ') n++;
    }
    return n;
}
}
