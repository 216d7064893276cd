import java.util.StringJoiner;

public class FormatDuration {
  public String formatDuration(long seconds) {
    if (seconds == 0) {
      return "0s";
    }
    long rest = Math.abs(seconds);
    StringJoiner parts = new StringJoiner(" ", seconds < 0 ? "-" : "", "");
    append(parts, rest / 86_400, "d");
    append(parts, rest / 3_600 % 24, "h");
    append(parts, rest / 60 % 60, "m");
    append(parts, rest % 60, "s");
    return parts.toString();
  }

  private static void append(StringJoiner parts, long value, String unit) {
    if (value > 0) {
      parts.add(value + unit);
    }
  }
}
