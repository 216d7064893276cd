"""Java: good, wrong and harmful candidates in turn, apart and together, in two slots."""

import sys

from _common import main

from polyassay.harness.java.harness import JavaHarness
from polyassay.model import Language, Limits, Style, Task, Test

CLASS = "public class Twice {{ public static int twice(int n) {{ {} }} }}"
# What an answer does, and the outcome that it must get.
ANSWERS = {
    CLASS.format(body): outcome
    for body, outcome in {
        "return 2 * n;": "passed",
        "return n;": "failed",
        "return new int[] {2 * n}[1];": "failed",
        "return 2 *;": "unbuilt",
        "System.exit(0); return 2 * n;": "crashed",
        'System.setProperty("left", "behind"); return 2 * n;': "passed",
        "Thread t = new Thread(() -> { try { Thread.sleep(60000); } catch (Exception e) {} });"
        " t.start(); return 2 * n;": "passed",
    }.items()
}
TESTS = """
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class TwiceTest {
  @Test void doubles() { assertEquals(4, Twice.twice(2)); }
  @Test void doublesMore() { assertEquals(6, Twice.twice(3)); }
}
"""


def tasks() -> list[Task]:
    """One task, judged apart and together."""
    return [
        Task(
            id=f"twice-{why or 'apart'}",
            suite="soak",
            language=Language.JAVA,
            style=Style.JUNIT,
            prompts={"en": "Double it."},
            tests=(Test("doubles"), Test("doublesMore")),
            class_name="Twice",
            signature="public static int twice(int n)",
            test_source=TESTS,
            limits=Limits(5, 60, 256),
            together_because=why,
        )
        for why in ("", "to try it")
    ]


if __name__ == "__main__":
    sys.exit(main(JavaHarness, tasks(), ANSWERS, 5_000))
