import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Sha256HexTest {
  @Test
  void hashesEmptyText() {
    assertEquals(
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        Sha256Hex.sha256Hex(""));
  }

  @Test
  void hashesWords() {
    assertEquals(
        "5ba8209dd482ba1ad3bc31379971fbdf335e873cf28333ff625d5bdc489adf4f",
        Sha256Hex.sha256Hex("The quick brown heron"));
  }

  @Test
  void hashesUtf8Bytes() {
    assertEquals(
        "41fdd4962650507e535fde55a87df81f9d8a7e12e5663ac3012caaa20432f621",
        Sha256Hex.sha256Hex("h\u00e9llo \u4e16\u754c"));
  }

  @Test
  void keepsLeadingZero() {
    assertEquals(
        "0f6bffa9661cb5dd2f3f7b2929f33061f58a7ba7fdd689530b1a306f8ed8f3ec",
        Sha256Hex.sha256Hex("token-2"));
  }

  @Test
  void hashesLongText() {
    assertEquals(
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
        Sha256Hex.sha256Hex("a".repeat(1000)));
  }
}
