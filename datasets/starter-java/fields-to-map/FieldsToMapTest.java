import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldsToMapTest {
  static class Bird {
    static int counted = 12;
    private final String name;
    protected int wings = 2;

    Bird(String name) {
      this.name = name;
    }
  }

  static class Heron extends Bird {
    private static final String ORDER = "Pelecaniformes";
    private final double height;
    private final List<String> prey = List.of("frog", "perch");

    Heron(String name, double height) {
      super(name);
      this.height = height;
    }
  }

  static class Emu extends Bird {
    private final String wings = "tiny";

    Emu() {
      super("Edna");
    }
  }

  static class Nest {
    Object egg;
    public long laid = 7L;
  }

  @Test
  void readsPrivateFields() {
    assertEquals(Map.of("name", "Rob", "wings", 2), FieldsToMap.fieldsToMap(new Bird("Rob")));
  }

  @Test
  void readsInheritedFields() {
    assertEquals(
        Map.of("name", "Hetty", "wings", 2, "height", 0.95, "prey", List.of("frog", "perch")),
        FieldsToMap.fieldsToMap(new Heron("Hetty", 0.95)));
  }

  @Test
  void subclassHidesField() {
    assertEquals(Map.of("name", "Edna", "wings", "tiny"), FieldsToMap.fieldsToMap(new Emu()));
  }

  @Test
  void keepsNullValues() {
    Map<String, Object> expected = new HashMap<>();
    expected.put("egg", null);
    expected.put("laid", 7L);
    assertEquals(expected, FieldsToMap.fieldsToMap(new Nest()));
  }

  @Test
  void nullAndPlainObjectsHaveNoFields() {
    assertEquals(Map.of(), FieldsToMap.fieldsToMap(null));
    assertEquals(Map.of(), FieldsToMap.fieldsToMap(new Object()));
  }

  @Test
  void readsCurrentValues() {
    Nest nest = new Nest();
    nest.egg = "blue";
    nest.laid = 8L;
    assertEquals(Map.of("egg", "blue", "laid", 8L), FieldsToMap.fieldsToMap(nest));
  }
}
