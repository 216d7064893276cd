import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FormatDurationTest {
  @Test
  void showsAllUnits() {
    assertEquals("1d 2h 3m 4s", new FormatDuration().formatDuration(93_784));
  }

  @Test
  void leavesOutZeroUnits() {
    assertEquals("1h 5s", new FormatDuration().formatDuration(3_605));
    assertEquals("2d", new FormatDuration().formatDuration(172_800));
  }

  @Test
  void showsSecondsAlone() {
    assertEquals("59s", new FormatDuration().formatDuration(59));
    assertEquals("1m", new FormatDuration().formatDuration(60));
  }

  @Test
  void showsZero() {
    assertEquals("0s", new FormatDuration().formatDuration(0));
  }

  @Test
  void showsNegativeDurations() {
    assertEquals("-1m 30s", new FormatDuration().formatDuration(-90));
  }

  @Test
  void countsManyDays() {
    assertEquals("50000d 1s", new FormatDuration().formatDuration(4_320_000_001L));
  }

  @Test
  void oneObjectServesManyCalls() {
    FormatDuration format = new FormatDuration();
    assertEquals("1s", format.formatDuration(1));
    assertEquals("2s", format.formatDuration(2));
  }
}
