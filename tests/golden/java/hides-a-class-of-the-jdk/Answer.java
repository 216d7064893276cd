public class Bag {
  public Bag(String one) {}

  public Object all() {
    return "nothing";
  }
}

class List {
  static Object of(String one) {
    return "nothing";
  }
}
