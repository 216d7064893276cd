"""Java programs, from the answer to the verdict, in real JVMs in the real sandbox."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.dispatch.scheduling import Batch
from polyassay.harness import RunSettings
from polyassay.harness.java.jdk import find_jars
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Style,
    Task,
    Test,
    Verdict,
)
from polyassay.sandbox.choose import find
from polyassay.slot import Slot
from real_parts import given

TASK = Task(
    id="sum",
    suite="programs",
    language=Language.JAVA,
    style=Style.PROGRAM,
    prompts={"en": "Print the sum and the mean of the numbers that are read."},
    tests=(Test("two", stdin="1 2\n", stdout="3\n1.5\n"), Test("none", stdin="", stdout="0\n0")),
    class_name="Main",
    signature="public static void main(String[] args)",
    limits=Limits(seconds=3, total_seconds=60),
)
READ = """
    Scanner in = new Scanner(System.in);
    int sum = 0, count = 0;
    while (in.hasNextInt()) { sum += in.nextInt(); count++; }
    double mean = count == 0 ? 0 : (double) sum / count;
    String shown = count == 0 ? "0" : "" + mean;
"""
PRINT = "System.out.println(sum); System.out.println(shown);"


def program(body: str, name: str = "Main") -> str:
    return f"import java.io.*; import java.util.*;\npublic class {name} {{\n" + (
        f"  public static void main(String[] args) throws Exception {{ {body} }}\n}}\n"
    )


@pytest.fixture(scope="module")
def slot(java_home: Path) -> Iterator[Slot]:
    with given("java"):
        find_jars()
    settings = RunSettings(find(), java_home, judge=Judging.TOGETHER)
    with closing(Slot(settings)) as slot:
        yield slot


def judged(slot: Slot, answer: str, task: Task = TASK) -> Verdict:
    candidate = Candidate(CandidateKey(task.suite, task.id, "tool", "en", 0), answer)
    (verdict,) = slot.judge(Batch(((task, candidate),)))
    return verdict


RIGHT = {
    "plain": program(READ + PRINT),
    "of another name": program(READ + PRINT, "Solution"),
    "exits": program(READ + PRINT + "System.exit(0);"),
    "prints in a thread": program(
        READ + "int s = sum; sum = 0; new Thread(() -> { "
        "System.out.println(s); System.out.println(shown); }).start();"
    ),
    "white space at the end": program(
        READ + r'System.out.print(sum + "  \r\n" + shown + "   \n\n");'
    ),
    "a helper class": program(READ + "Shown.show(sum, shown);")
    + 'class Shown { static void show(int n, String s) { System.out.println(n + "\\n" + s); } }',
    "errors are no output": program(READ + 'System.err.println("hm");' + PRINT),
    "by descriptors": program(
        READ.replace("System.in", "new FileInputStream(FileDescriptor.in)")
        + "PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));"
        + PRINT.replace("System.out", "out")
        + "out.close();"
    ),
    "by a device": program(
        READ.replace("System.in", 'new File("/dev/stdin")')
        + "System.setOut(new PrintStream(new BufferedOutputStream("
        + "new FileOutputStream(FileDescriptor.out))));"
        + PRINT
        + "System.out.flush();"
    ),
    "closes what it printed to": program(
        READ + "try (PrintWriter out = new PrintWriter(System.out)) {"
        " out.println(sum); out.println(shown); }"
    ),
    "prints as it ends": program(
        READ + "int s = sum; Runtime.getRuntime().addShutdownHook(new Thread(() -> { try {"
        " Thread.sleep(300); } catch (InterruptedException e) { }"
        " System.out.println(s); System.out.println(shown); }));"
    ),
    "throws anything": program(READ + PRINT).replace("throws Exception", "throws Throwable"),
    "inherits main": program(READ + PRINT, "Base").replace("public class", "class")
    + "public class Main extends Base { }",
    "main of an object": program(READ + PRINT).replace(
        "static void main(String[] args)", "void main()"
    ),
    "no class": "int plus(int a, int b) { return a + b; } int sum = 0, count = 0; void main() {"
    + READ.replace("int sum = 0, count = 0;", "").replace(
        "sum += in.nextInt()", "sum = plus(sum, in.nextInt())"
    )
    + PRINT
    + "}",
    "a method alone": "public static void main(String[] args) {" + READ + PRINT + "}",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_pass(slot: Slot, name: str) -> None:
    verdict = judged(slot, RIGHT[name])
    assert (verdict.outcome, verdict.passed) == (Outcome.PASSED, 2), verdict.reason
    assert verdict.judged is Judging.APART


WRONG = {
    "prints another sum": (program(READ + "sum++;" + PRINT), Outcome.FAILED, "expected '3'"),
    "prints nothing": (program(READ), Outcome.FAILED, "no line"),
    "exits with a status": (
        program(READ + PRINT + "System.exit(3);"),
        Outcome.FAILED,
        "exit status 3",
    ),
    "throws": (
        program(READ + PRINT + 'throw new IllegalStateException("why");'),
        Outcome.FAILED,
        'exit status 1: Exception in thread "main" java.lang.IllegalStateException: why',
    ),
    "halts": (
        program(READ + PRINT + "Runtime.getRuntime().halt(0);"),
        Outcome.CRASHED,
        "exit status 0",
    ),
    "loops": (program("while (true) { }"), Outcome.TIMED_OUT, "CPU time"),
    "prints without end": (
        program('String s = "x".repeat(1000); for (int i = 0; i < 9000; i++) System.out.print(s);'),
        Outcome.FAILED,
        "printed more than is kept",
    ),
    "fills the heap": (
        program("List<long[]> all = new ArrayList<>(); while (true) all.add(new long[1 << 20]);"),
        Outcome.OUT_OF_MEMORY,
        "OutOfMemoryError",
    ),
    "prints frames": (
        program(
            "DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));"
            'out.writeInt(30); out.writeInt(12); out.writeBytes("ProgramEnded");'
            "out.write(new byte[14]);"
        ),
        Outcome.FAILED,
        "expected '3'",
    ),
    "has no main": ("public class Main { void run() { } }", Outcome.UNBUILT, "main"),
    "does not compile": (program("int x = y;"), Outcome.UNBUILT, "cannot find symbol"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_do_not(slot: Slot, name: str) -> None:
    answer, outcome, reason = WRONG[name]
    verdict = judged(slot, answer)
    assert verdict.outcome is outcome, verdict.reason
    assert reason in verdict.reason
    assert verdict.passed == 0


def test_numbers_may_differ_where_the_task_says_so(slot: Slot) -> None:
    answer = program(READ + "System.out.println(sum); System.out.println(mean + 1e-9);")
    tests = (Test("one", stdin="1 2", stdout="3\n1.5"),)
    strict = replace(TASK, id="strict", tests=tests)
    assert judged(slot, answer, strict).outcome is Outcome.FAILED
    near = replace(TASK, id="near", tests=tests, extra={"tolerance": "1e-6"})
    assert judged(slot, answer, near).outcome is Outcome.PASSED
