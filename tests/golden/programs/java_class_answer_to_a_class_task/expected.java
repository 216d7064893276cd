import java.util.concurrent.atomic.AtomicInteger;

class Counter {
    private final AtomicInteger n = new AtomicInteger();

    public int next() {
        return n.incrementAndGet();
    }
}
