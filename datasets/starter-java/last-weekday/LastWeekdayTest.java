import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.DayOfWeek;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class LastWeekdayTest {
  @Test
  void findsLastFriday() {
    assertEquals(LocalDate.of(2024, 3, 29), LastWeekday.lastWeekday(2024, 3, DayOfWeek.FRIDAY));
  }

  @Test
  void lastDayOfMonthCounts() {
    assertEquals(LocalDate.of(2024, 3, 31), LastWeekday.lastWeekday(2024, 3, DayOfWeek.SUNDAY));
  }

  @Test
  void dayAfterLastOneIsSixDaysBack() {
    assertEquals(LocalDate.of(2024, 3, 25), LastWeekday.lastWeekday(2024, 3, DayOfWeek.MONDAY));
  }

  @Test
  void knowsLeapFebruary() {
    assertEquals(LocalDate.of(2024, 2, 29), LastWeekday.lastWeekday(2024, 2, DayOfWeek.THURSDAY));
    assertEquals(LocalDate.of(2023, 2, 23), LastWeekday.lastWeekday(2023, 2, DayOfWeek.THURSDAY));
  }

  @Test
  void handlesDecember() {
    assertEquals(
        LocalDate.of(2023, 12, 27), LastWeekday.lastWeekday(2023, 12, DayOfWeek.WEDNESDAY));
  }
}
