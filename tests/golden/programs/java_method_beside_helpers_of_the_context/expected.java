import java.util.*;

class Bounded4 {
    static int half(int n) {
        return n / 2;
    }
public int bounded(int n, int low) {
    return Math.max(half(n), low);
}
}
