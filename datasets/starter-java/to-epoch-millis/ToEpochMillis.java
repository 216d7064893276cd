import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

public class ToEpochMillis {
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  public static long toEpochMillis(String text, String zone) {
    return LocalDateTime.parse(text, FORM).atZone(ZoneId.of(zone)).toInstant().toEpochMilli();
  }
}
