"""Java answers judged apart: no object of theirs is asked anything by the tests.

What an answer returns is written down by the worker and made anew, of classes from a fixed table,
where the tests are. So whatever an object says of itself is said in the worker.
"""

import pytest

from end_to_end.judged import judge
from polyassay.harness import HarnessSession
from polyassay.model import Judging, Language, Limits, Outcome, Style, Task, Test, Verdict

TESTS = """
import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
import org.junit.jupiter.api.Test;
class MakeTest {
  @Test void isEqual() { assertEquals(List.of(1, 2), Make.make(2)); }
  @Test void equals() { assertTrue(Make.make(3).equals(List.of(1, 2, 3))); }
  @Test void contains() { assertTrue(Make.make(3).contains(3)); }
  @Test void sums() { assertEquals(6, Make.make(3).stream().mapToInt(Integer::intValue).sum()); }
}
"""
NAMES = ("isEqual", "equals", "contains", "sums")
HEAD = "import java.util.*;\npublic class Make {\n"
RIGHT = """
  public static List<Integer> make(int n) {
    List<Integer> found = new ArrayList<>();
    for (int i = 1; i <= n; i++) { found.add(i); }
    return found;
  }
"""
YES = """
    public boolean equals(Object o) { return true; }
    public boolean contains(Object o) { return true; }
    public int hashCode() { return List.of(1, 2).hashCode(); }
"""
LIES = {
    "subclass": (
        f"static class Yes extends ArrayList<Integer> {{ {YES} }}"
        " public static List<Integer> make(int n) { return new Yes(); }"
    ),
    "own list": (
        "static class Yes extends AbstractList<Integer> {"
        " public Integer get(int i) { throw new IndexOutOfBoundsException(); }"
        f" public int size() {{ return 0; }} {YES} }}"
        " public static List<Integer> make(int n) { return new Yes(); }"
    ),
    "proxy": (
        '@SuppressWarnings("unchecked") public static List<Integer> make(int n) {'
        " return (List<Integer>) java.lang.reflect.Proxy.newProxyInstance("
        " Make.class.getClassLoader(), new Class<?>[] {List.class}, (p, m, a) ->"
        " m.getReturnType() == boolean.class ? (Object) true"
        " : m.getReturnType() == int.class ? (Object) 2 : null); }"
    ),
    "elements": (
        '@SuppressWarnings({"unchecked", "rawtypes"}) public static List<Integer> make(int n) {'
        f" List found = new ArrayList(); found.add(new Object() {{ {YES} }}); return found; }}"
    ),
    "elements that compare": (
        "static class Any implements Comparable<Object> {"
        " public int compareTo(Object o) { return 0; }"
        " public boolean equals(Object o) { return true; } }"
        ' @SuppressWarnings({"unchecked", "rawtypes"}) public static List<Integer> make(int n) {'
        " return (List) new ArrayList(List.of(new Any(), new Any())); }"
    ),
    "negative size": (
        "public static List<Integer> make(int n) { return new AbstractList<>() {"
        " public Integer get(int i) { return i + 1; } public int size() { return -5; } }; }"
    ),
    "another iterator": (
        "public static List<Integer> make(int n) {"
        " return new ArrayList<>(Collections.nCopies(n, 9)) {"
        " public Iterator<Integer> iterator() { return List.of(1, 2, 3).iterator(); } }; }"
    ),
    "itself": (
        '@SuppressWarnings({"unchecked", "rawtypes"}) public static List<Integer> make(int n) {'
        " List found = new ArrayList(); found.add(found); return found; }"
    ),
    "serialized": (
        "static class Yes extends ArrayList<Integer> { Object readResolve() { return null; }"
        " Object writeReplace() { return List.of(1, 2, 3); }"
        f" {YES} }} public static List<Integer> make(int n) {{ return new Yes(); }}"
    ),
    "view": (
        "public static List<Integer> make(int n) { return Collections.unmodifiableList("
        f"new ArrayList<Integer>() {{ {YES} }}); }}"
    ),
    "caches": (
        "public static List<Integer> make(int n) { try {"
        ' var f = Class.forName("java.lang.Integer$IntegerCache").getDeclaredField("cache");'
        " f.setAccessible(true); Integer[] cache = (Integer[]) f.get(null);"
        " Arrays.fill(cache, 1); } catch (Throwable e) { } return new ArrayList<>(); }"
    ),
    "exit hook": (
        "public static List<Integer> make(int n) {"
        " Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));"
        " System.exit(0); return null; }"
    ),
    "thread that stays": (
        "static volatile List<Integer> kept = new ArrayList<>();"
        " public static List<Integer> make(int n) { Thread t = new Thread(() -> { while (true) {"
        " kept.clear(); } }); t.setDaemon(true); t.start(); return kept; }"
    ),
    "finalizer": (
        'protected void finalize() { System.out.println("passed"); Runtime.getRuntime().halt(0); }'
        " public static List<Integer> make(int n) { new Make(); System.gc();"
        " return Collections.emptyList(); }"
    ),
    "thrown": (
        "static class Aborted extends RuntimeException { public String getMessage() {"
        ' return "assumption"; } } public static List<Integer> make(int n) { throw new Aborted(); }'
    ),
}


TASK = Task(
    id="make",
    suite="s",
    language=Language.JAVA,
    style=Style.JUNIT,
    prompts={},
    tests=tuple(map(Test, NAMES)),
    class_name="Make",
    signature="public static java.util.List<Integer> make(int n)",
    test_source=TESTS,
    limits=Limits(seconds=5, total_seconds=30, memory_mb=128),
)


def made(session: HarnessSession, body: str) -> Verdict:
    return judge(session, TASK, f"{HEAD}{body}}}\n", again=True)


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_is_heard(java_session: HarnessSession, lie: str) -> None:
    verdict = made(java_session, LIES[lie])
    assert verdict.judged is Judging.APART
    assert verdict.outcome in (Outcome.FAILED, Outcome.CRASHED, Outcome.TIMED_OUT), verdict
    assert verdict.passed == 0, verdict


def test_a_right_answer_passes_after_all_of_them(java_session: HarnessSession) -> None:
    assert made(java_session, RIGHT).outcome is Outcome.PASSED
