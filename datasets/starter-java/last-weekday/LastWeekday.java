import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

public class LastWeekday {
  public static LocalDate lastWeekday(int year, int month, DayOfWeek day) {
    return LocalDate.of(year, month, 1).with(TemporalAdjusters.lastInMonth(day));
  }
}
