import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PickerTest {
  @Test
  void argumentsComeBack() {
    String text = new String("text");
    assertTrue(Picker.pick("text", text, null, null) == text);
    Long number = 1000L;
    assertTrue(Picker.pick("number", null, number, null) == number);
    int[] array = {1};
    assertTrue(Picker.pick("array", null, null, array) == array);
  }

  @Test
  void constantsAreShared() {
    assertTrue(Picker.pick("constant", null, null, null) == "constant");
    assertTrue(Picker.pick("five", null, null, null) == Long.valueOf(5));
  }

  @Test
  void copiesAreCopies() {
    String text = "constant";
    assertFalse(Picker.pick("copy of text", text, null, null) == text);
    assertFalse(Picker.pick("new five", null, null, null) == Long.valueOf(5));
    assertFalse(Picker.pick("thousand", null, null, null) == Long.valueOf(1000));
    int[] array = {1};
    assertFalse(Picker.pick("copy of array", null, null, array) == array);
  }

  @Test
  void changesInPlaceAreSeen() {
    int[] array = {1};
    assertTrue(Picker.pick("change", null, null, array) == array && array[0] == 2);
  }
}
