import java.util.*;

class Bounded2 {
    static int half(int n) {
        return n / 2;
    }

    /** Halves n, at most to low. */
    public int bounded(int n, int low) {
        if (n > low) {
            return half(n);
        }
        return low;
}}
