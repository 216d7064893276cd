import java.util.*;

class Bounded5 {
    static int half(int n) {
        return n / 2;
    }

    /** Halves n, at most to low. */
    public int bounded(int n, int low) {
    return 0;
}}
