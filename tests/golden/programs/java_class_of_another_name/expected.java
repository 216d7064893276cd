

import java.util.function.IntUnaryOperator;

public class Doubler {
    private static final IntUnaryOperator TWICE = x -> x + x;

    private Doubler() {}

    public static int twice(int x) {
        return Doubler.TWICE.applyAsInt(x); // "Solution" here stays
    }
}
