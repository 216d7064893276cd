class Bounded3 {
    public int bounded(int n, int low) {
        return Math.max(n / 2, low);
    }
}
