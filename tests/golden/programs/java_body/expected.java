import java.util.*;
public class Joiner {
public static String join(List<String> parts, char between) {
    StringJoiner joiner = new StringJoiner(String.valueOf(between));
    parts.forEach(joiner::add);
    return joiner.toString();
}}
