"""No Java answer finds another tool's answer, what that printed, nor what its own tests expect."""

from itertools import count

import pytest

from end_to_end.judged import judge
from polyassay.harness import HarnessSession
from polyassay.model import Judging, Language, Limits, Outcome, Style, Task, Test

SECRET, OWN = "SECRET0123456789abcdef", "OWNTEXT0123456789abcdef"
VICTIM = f"""
public class Tell {{
  static final String KEPT = "{SECRET}";
  public static String tell() {{ System.out.println(KEPT); return KEPT; }}
}}
"""
# Patterns are built when it runs, or it would find itself.
FIND = f"""
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Pattern;
public class Tell {{
  static final String OWN = "{OWN}";
  static final Pattern[] PATTERNS = {{pattern("TERCES"), pattern("TXETNWO")}};
  static final int[] FOUND = {{0, 0}};
  static long looked;
  static Pattern pattern(String name) {{
    return Pattern.compile(new StringBuilder(name).reverse() + "[0-9a-f]{{16}}");
  }}
  static void look(byte[] data, int length) {{
    look(new String(data, 0, length, StandardCharsets.ISO_8859_1));
  }}
  static void look(Object text) {{
    looked += String.valueOf(text).length();
    for (int i = 0; i < 2; i++) {{
      var matcher = PATTERNS[i].matcher(String.valueOf(text));
      while (matcher.find()) FOUND[i]++;
    }}
  }}
  static void read(Path path) {{
    try (var in = new FileInputStream(path.toFile())) {{
      byte[] data = in.readNBytes(1 << 24);
      look(data, data.length);
    }} catch (IOException | SecurityException e) {{ }}
  }}
  static void walk(String... tops) {{
    for (String top : tops) try (var files = Files.walk(Path.of(top), 6)) {{
      files.filter(Files::isRegularFile).forEach(Tell::read);
    }} catch (IOException | UncheckedIOException | SecurityException e) {{ }}
  }}
  public static String tell() {{
    try {{ attack(); }} catch (Throwable e) {{ System.out.println(e); }}
    System.out.println("secrets " + FOUND[0] + " own " + FOUND[1] + " looked " + (looked > 0));
    return "?";
  }}
  static void attack() throws Throwable {{
"""
ATTACKS = {
    "memory": """
    byte[] part = new byte[1 << 20];
    try (var mem = new RandomAccessFile("/proc/self/mem", "r")) {
      for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
        String[] ends = line.split(" ")[0].split("-");
        if (!line.split(" ")[1].startsWith("r") || ends[1].startsWith("ffffffff")) continue;
        long end = Long.parseLong(ends[1], 16);
        for (long at = Long.parseLong(ends[0], 16); at < end; at += part.length - 64) try {
          mem.seek(at);
          look(part, Math.max(0, mem.read(part, 0, (int) Math.min(part.length, end - at))));
        } catch (IOException e) { }
      }
    }
    """,
    "a dump of the heap": """
    look(OWN);  // the image has no bean for it
    Path to = Files.createTempDirectory("d").resolve("heap.hprof");
    var server = java.lang.management.ManagementFactory.getPlatformMBeanServer();
    var bean = new javax.management.ObjectName("com.sun.management:type=HotSpotDiagnostic");
    server.invoke(bean, "dumpHeap", new Object[] {to.toString(), false},
        new String[] {"java.lang.String", "boolean"});
    read(to);
    """,
    "files": """
    look(OWN);
    walk("/scratch", "/tmp", "/dev/shm", "/run", "/var/tmp", System.getProperty("user.dir"));
    """,
    "class path": """
    look(OWN);
    walk(System.getProperty("java.class.path", "").split(":"));
    for (var loader = Tell.class.getClassLoader(); loader != null; loader = loader.getParent())
      for (String name : List.of("TellTest.class", "Tell.class", "Tell.java", "TellTest.java"))
        for (var at : Collections.list(loader.getResources(name))) try (var in = at.openStream()) {
          byte[] data = in.readAllBytes();
          look(data, data.length);
        }
    """,
    "environment": """
    look(OWN);
    look(System.getenv());
    look(System.getProperties());
    for (String who : new String[] {"self", "1"})
      for (String what : List.of("environ", "cmdline", "comm", "stat", "status", "mountinfo"))
        read(Path.of("/proc", who, what));
    """,
    "descriptors": """
    look(OWN);
    for (String who : new String[] {"self", "1"}) {
      File[] all = new File("/proc/" + who + "/fd").listFiles();
      for (File one : all == null ? new File[0] : all)
        if (Integer.parseInt(one.getName()) > 3 && Files.isRegularFile(one.toPath()))
          read(one.toPath());
    }
    """,
    "statics of what is loaded": """
    look(OWN);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      look(thread.getName());
      for (StackTraceElement frame : thread.getStackTrace()) try {
        var type = Class.forName(frame.getClassName(), false, thread.getContextClassLoader());
        for (var field : type.getDeclaredFields())
          if (java.lang.reflect.Modifier.isStatic(field.getModifiers())) try {
            field.setAccessible(true);
            Object value = field.get(null);
            look(value instanceof Object[] all ? Arrays.deepToString(all) : value);
          } catch (Exception e) { }
      } catch (Throwable e) { }
    }
    """,
    "classes of others": """
    look(OWN);
    for (String name : new String[] {"TellTest", "Tell", "Reference", "Answer"}) try {
      var type = ClassLoader.getSystemClassLoader().loadClass(name);
      for (var field : type.getDeclaredFields()) {
        field.setAccessible(true);
        look(field.get(null));
      }
      look(type.getMethod("tell").invoke(null));
    } catch (ReflectiveOperationException e) { }
    """,
}
_numbers = count()


def task() -> Task:
    tests = f"""
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class TellTest {{ @Test void told() {{ assertEquals("{SECRET}", Tell.tell()); }} }}
"""
    return Task(
        id=f"tell-{next(_numbers)}",
        suite="s",
        language=Language.JAVA,
        style=Style.JUNIT,
        prompts={},
        tests=(Test("told"),),
        class_name="Tell",
        signature="public static String tell()",
        test_source=tests,
        limits=Limits(seconds=30, total_seconds=60, memory_mb=256),
    )


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_found(java_session: HarnessSession, attack: str) -> None:
    for tool in ("reference", "another"):
        assert judge(java_session, task(), VICTIM, tool=tool, again=True).outcome is Outcome.PASSED
    verdict = judge(java_session, task(), f"{FIND}{ATTACKS[attack]}}}\n}}\n", again=True)
    assert verdict.judged is Judging.APART
    assert verdict.outcome is Outcome.FAILED, verdict
    assert "secrets 0 " in verdict.output and "looked true" in verdict.output, verdict
    assert "own 0 " not in verdict.output  # it would have found what is there
