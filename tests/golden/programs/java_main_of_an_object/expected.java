class Greeting { public static void main(String[] args) throws Throwable { new Greeting().main(); }
    class Inner {
        void main(String name) { }
    }

    private final String name = "you";

    void main() throws Exception {
        System.out.println("hello " + name);
    }
}

class Other {
    void main(String[] args) { }
}
