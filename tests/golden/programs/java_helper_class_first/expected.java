class Adder {
    int total;
}

class Summer {
    public static int sum(int[] a) {
        Adder adder = new Adder();
        for (int x : a) {
            adder.total += x;
        }
        return adder.total;
    }
}
