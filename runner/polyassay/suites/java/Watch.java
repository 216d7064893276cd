package {package};

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Notes what an evaluation saw: the candidate's calls, and the checks that did not hold.
 *
 * <p>It hands every value on as it is, runs no method of a candidate's class and throws nothing, so
 * that an evaluation counts the same with it and without it.
 */
public final class {name} {{
  private static final int MOST_NOTES = 12;
  private static final int MOST_ELEMENTS = 12;
  private static final int MOST_CHARACTERS = 160;
  // Wrappers, such as unmodifiable lists, are not here: they may ask an object of a candidate's.
  private static final Pattern PLAIN =
      Pattern.compile(
          "java\\.(lang\\.(Byte|Short|Integer|Long|Float|Double|StringBu(ilder|ffer)|Class)"
              + "|math\\.Big\\w+|time\\.[A-Z]\\w+|io\\.File|net\\.URI"
              + "|util\\.(Date|UUID|Locale|concurrent\\.atomic\\.Atomic(Integer|Long|Boolean)))");
  private static final Pattern KNOWN =
      Pattern.compile(
          PLAIN.pattern()
              + "|java\\.util\\.((Array|Linked)List|Arrays\\$ArrayList|Vector|Stack|ArrayDeque"
              + "|(Linked)?Hash(Map|Set)|Tree(Map|Set)|Hashtable|ImmutableCollections\\$\\w+"
              + "|concurrent\\.ConcurrentHashMap)");
  private static final List<String> NOTES = new ArrayList<>();
  private static String call = ""; // the latest one, with its arguments
  private static String gave = ""; // what it returned; empty while it goes on

  private {name}() {{}}

  /** The notes so far: a line's number, a tab and a sentence each. */
  public static synchronized List<String> notes() {{
    return new ArrayList<>(NOTES);
  }}

  /** Before a call: arguments are told as they are then. A text stands for one that is not read. */
  public static synchronized int call(String name, Object... arguments) {{
    try {{
      List<String> told = new ArrayList<>();
      for (Object each : arguments) {{
        told.add(each instanceof Source text ? text.text() : shown(each, 0));
      }}
      call = name + "(" + String.join(", ", told) + ")";
      gave = "";
    }} catch (Throwable unlucky) {{
      call = name + "(…)";
    }}
    return 0;
  }}

  /** An argument that is told by its source. */
  public record Source(String text) {{}}

  public static synchronized void done() {{
    gave = "nothing";
  }}

  public static synchronized <T> T saw(int called, T value) {{
    gave = shown(value, 0);
    return value;
  }}

{primitives}
  /** A check did not hold: pairs of a source and its value say why. Always false. */
  public static synchronized boolean missed(int line, String check, Object... pairs) {{
    List<String> told = new ArrayList<>();
    for (int i = 0; i + 1 < pairs.length; i += 2) {{
      told.add(pairs[i] + " = " + shown(pairs[i + 1], 0));
    }}
    String why = told.isEmpty() ? "" : " (" + String.join(", ", told) + ")";
    return note(line, called() + check + " is false" + why);
  }}

  /** As above, where one side came from the candidate: its call, or a variable. */
  public static synchronized boolean differs(int line, Object expected, Object found) {{
    String was = found == LATEST ? gave : shown(found, 0);
    String where = call.isEmpty() ? "" : call + ": ";
    return note(line, where + "expected: <" + shown(expected, 0) + "> but was: <" + was + ">");
  }}

  /** Stands for what the latest call returned. */
  public static final Object LATEST = new Object();

  public static synchronized void threwNothing(int line) {{
    note(line, call + " threw nothing, and should");
  }}

  public static synchronized void threw(int line, Throwable thrown) {{
    boolean itself = gave.isEmpty() && !call.isEmpty();
    note(line, (itself ? call + " threw " : called() + "then ") + words(thrown));
  }}

  private static String called() {{
    return call.isEmpty() ? "" : call + (gave.isEmpty() ? ": " : " gave " + gave + ": ");
  }}

  private static boolean note(int line, String words) {{
    if (NOTES.size() < MOST_NOTES) {{
      NOTES.add(line + "\t" + words);
    }}
    return false;
  }}

  /** A class of the candidate's may have a method of its own for its message. */
  private static String words(Throwable thrown) {{
    try {{
      boolean ours = thrown.getClass().getClassLoader() == null;
      String message = ours ? thrown.getMessage() : null;
      boolean helps = message != null && !message.contains("{name}.saw");
      return thrown.getClass().getName() + (helps ? ": " + cut(message) : "");
    }} catch (Throwable unlucky) {{
      return "an exception";
    }}
  }}

  private static String shown(Object value, int depth) {{
    try {{
      return cut(told(value, depth));
    }} catch (Throwable unlucky) {{
      return "…";
    }}
  }}

  private static String told(Object value, int depth) {{
    if (value == null) {{
      return "null";
    }}
    String name = value.getClass().getName();
    if (value instanceof String text) {{
      return '"' + printable(cut(text)) + '"';
    }} else if (value instanceof Character letter) {{
      return "'" + printable(letter.toString()) + "'";
    }} else if (value instanceof Boolean || own(value) && PLAIN.matcher(name).matches()) {{
      return value.toString();
    }} else if (value.getClass().isArray() && depth < 3) {{
      List<String> parts = new ArrayList<>();
      int length = java.lang.reflect.Array.getLength(value);
      for (int i = 0; i < Math.min(length, MOST_ELEMENTS); i++) {{
        parts.add(shown(java.lang.reflect.Array.get(value, i), depth + 1));
      }}
      return "[" + joined(parts, length) + "]";
    }} else if (value instanceof Map<?, ?> map && own(value) && depth < 3) {{
      List<String> parts = new ArrayList<>();
      for (Map.Entry<?, ?> each : map.entrySet()) {{
        if (parts.size() < MOST_ELEMENTS) {{
          parts.add(shown(each.getKey(), depth + 1) + "=" + shown(each.getValue(), depth + 1));
        }}
      }}
      return "{{" + joined(parts, map.size()) + "}}";
    }} else if (value instanceof Collection<?> some && own(value) && depth < 3) {{
      List<String> parts = new ArrayList<>();
      for (Object each : some) {{
        if (parts.size() < MOST_ELEMENTS) {{
          parts.add(shown(each, depth + 1));
        }}
      }}
      return "[" + joined(parts, some.size()) + "]";
    }}
    return name.substring(name.lastIndexOf('.') + 1);
  }}

  /** Whether its methods are the JDK's alone, or those of a class that the evaluation declares. */
  private static boolean own(Object value) {{
    String name = value.getClass().getName();
    return KNOWN.matcher(name).matches() || name.startsWith("{tests}.");
  }}

  private static String printable(String text) {{
    StringBuilder all = new StringBuilder();
    for (char each : text.toCharArray()) {{
      int known = "\n\r\t".indexOf(each);
      boolean plain = !Character.isISOControl(each) && !Character.isSurrogate(each);
      all.append(plain ? each : known < 0 ? String.format("\\u%04x", (int) each) : "");
      all.append(known < 0 ? "" : "\\" + "nrt".charAt(known));
    }}
    return all.toString();
  }}

  private static String joined(List<String> parts, int length) {{
    return String.join(", ", parts) + (length > parts.size() ? ", …" : "");
  }}

  private static String cut(String text) {{
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
  }}
}}
