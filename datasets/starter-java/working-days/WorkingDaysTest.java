import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class WorkingDaysTest {
  // 2024-03-04 is a Monday.
  private static final LocalDate MONDAY = LocalDate.of(2024, 3, 4);

  @Test
  void fullWeekHasFive() {
    assertEquals(5, WorkingDays.countWorkingDays(MONDAY, MONDAY.plusDays(7)));
  }

  @Test
  void endIsExcluded() {
    assertEquals(4, WorkingDays.countWorkingDays(MONDAY, MONDAY.plusDays(4)));
  }

  @Test
  void startIsIncluded() {
    assertEquals(1, WorkingDays.countWorkingDays(MONDAY, MONDAY.plusDays(1)));
  }

  @Test
  void skipsWeekend() {
    assertEquals(0, WorkingDays.countWorkingDays(MONDAY.plusDays(5), MONDAY.plusDays(7)));
    assertEquals(2, WorkingDays.countWorkingDays(MONDAY.plusDays(4), MONDAY.plusDays(8)));
  }

  @Test
  void countsLeapYear() {
    assertEquals(
        262, WorkingDays.countWorkingDays(LocalDate.of(2024, 1, 1), LocalDate.of(2025, 1, 1)));
  }

  @Test
  void reversedOrEqualDatesGiveZero() {
    assertEquals(0, WorkingDays.countWorkingDays(MONDAY, MONDAY));
    assertEquals(0, WorkingDays.countWorkingDays(MONDAY.plusDays(3), MONDAY));
  }
}
