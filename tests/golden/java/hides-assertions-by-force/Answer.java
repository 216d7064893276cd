public class Bag extends Base {
  public Bag(String one) {}

  public Object all() {
    return "nothing";
  }
}

/** Without it, no test compiles; with it, the class below would be in sight as well. */
class Base {}

class Assertions {
  static void assertEquals(Object one, Object other) {}
}
