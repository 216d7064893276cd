import java.time.DayOfWeek;
import java.time.LocalDate;

public class WorkingDays {
  public static long countWorkingDays(LocalDate start, LocalDate end) {
    long days = 0;
    for (LocalDate day = start; day.isBefore(end); day = day.plusDays(1)) {
      DayOfWeek weekday = day.getDayOfWeek();
      if (weekday != DayOfWeek.SATURDAY && weekday != DayOfWeek.SUNDAY) {
        days++;
      }
    }
    return days;
  }
}
