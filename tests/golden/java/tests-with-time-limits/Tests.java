import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
  @Test
  void waitsInVain() {
    assertTimeoutPreemptively(Duration.ofMillis(500), () -> Pause.pause(1));
  }

  @Test
  void spinsInVain() {
    assertTimeoutPreemptively(Duration.ofMillis(500), () -> Pause.pause(2));
  }

  @Test
  void isQuick() {
    assertEquals(3, Pause.pause(3));
  }
}
