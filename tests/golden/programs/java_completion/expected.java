import java.util.*;

class Bounded {
    static int half(int n) {
        return n / 2;
    }

    /** Halves n, at most to low. */
    public int bounded(int n, int low) {
        return Math.max(half(n), low);
    }
}
