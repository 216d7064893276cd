public class Initials {
  public String initials(String fullName) {
    if (fullName == null || fullName.isBlank()) {
      return "";
    }
    StringBuilder result = new StringBuilder();
    for (String word : fullName.strip().split("\\s+")) {
      result.append(Character.toUpperCase(word.charAt(0))).append('.');
    }
    return result.toString();
  }
}
