import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.Test;

class ToEpochMillisTest {
  @Test
  void readsUtc() {
    assertEquals(1_000L, ToEpochMillis.toEpochMillis("1970-01-01 00:00:01", "UTC"));
  }

  @Test
  void appliesZone() {
    assertEquals(
        1_704_034_800_000L, ToEpochMillis.toEpochMillis("2024-01-01 00:00:00", "Asia/Tokyo"));
  }

  @Test
  void appliesSummerTime() {
    assertEquals(
        1_720_000_800_000L, ToEpochMillis.toEpochMillis("2024-07-03 12:00:00", "Europe/Berlin"));
    assertEquals(
        1_704_279_600_000L, ToEpochMillis.toEpochMillis("2024-01-03 12:00:00", "Europe/Berlin"));
  }

  @Test
  void readsTimesBeforeEpoch() {
    assertEquals(-86_400_000L, ToEpochMillis.toEpochMillis("1969-12-31 00:00:00", "UTC"));
  }

  @Test
  void acceptsOffsetsAsZone() {
    assertEquals(1_704_067_200_000L, ToEpochMillis.toEpochMillis("2024-01-01 05:30:00", "+05:30"));
  }

  @Test
  void rejectsOtherForms() {
    assertThrows(
        DateTimeParseException.class,
        () -> ToEpochMillis.toEpochMillis("2024/01/01 00:00:00", "UTC"));
    assertThrows(
        DateTimeParseException.class, () -> ToEpochMillis.toEpochMillis("2024-01-01", "UTC"));
  }

  @Test
  void rejectsTrailingText() {
    assertThrows(
        DateTimeParseException.class,
        () -> ToEpochMillis.toEpochMillis("2024-01-01 00:00:00 noon", "UTC"));
  }
}
