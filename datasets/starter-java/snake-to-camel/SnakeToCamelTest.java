import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SnakeToCamelTest {
  @Test
  void joinsWords() {
    assertEquals("orderLineCount", SnakeToCamel.toCamelCase("order_line_count"));
  }

  @Test
  void lowersConstants() {
    assertEquals("userId", SnakeToCamel.toCamelCase("USER_ID"));
  }

  @Test
  void keepsSingleWord() {
    assertEquals("price", SnakeToCamel.toCamelCase("price"));
    assertEquals("price", SnakeToCamel.toCamelCase("Price"));
  }

  @Test
  void dropsLeadingAndTrailingUnderscores() {
    assertEquals("innerValue", SnakeToCamel.toCamelCase("__inner_value_"));
  }

  @Test
  void dropsRepeatedUnderscores() {
    assertEquals("firstName", SnakeToCamel.toCamelCase("first___name"));
  }

  @Test
  void keepsDigits() {
    assertEquals("line2Text", SnakeToCamel.toCamelCase("line_2_text"));
  }

  @Test
  void emptyStaysEmpty() {
    assertEquals("", SnakeToCamel.toCamelCase(""));
    assertEquals("", SnakeToCamel.toCamelCase("___"));
  }
}
