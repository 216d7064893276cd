"""Bad input gets one sentence, a hint and exit code 2; nothing is lost."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import PolyAssay, write_jsonl
from real_parts import elsewhere

TASK = {
    "id": "twice",
    "language": "python",
    "style": "function",
    "entry": "twice",
    "tests": [{"name": "test_0", "code": "assert twice(2) == 4"}],
    "prompts": {"en": "Double a number"},
}
JAVA_TASK = {
    "id": "twice",
    "language": "java",
    "style": "junit",
    "class_name": "Twice",
    "signature": "public static int twice(int n)",
    "test_source": "import org.junit.jupiter.api.Test; "
    " class TwiceTest { @Test void t() { Twice.twice(2); } }",
    "tests": [{"name": "t"}],
    "prompts": {"en": "Double a number"},
}
RIGHT = {"task": "twice", "answer": "def twice(n):\n    return 2 * n\n"}


@pytest.fixture
def place(polyassay: PolyAssay, tmp_path: Path) -> Path:
    """A folder with a suite `s` and answers to it."""
    write_jsonl(tmp_path / "tasks.jsonl", [TASK])
    write_jsonl(tmp_path / "answers.jsonl", [RIGHT])
    added = polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")
    assert added.returncode == 0, added.stderr
    return tmp_path


def assert_told(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """One sentence, one hint, exit code 2, no traceback."""
    assert result.returncode == 2, result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith(("Error:", "Hint:"))]
    assert [line.split(":")[0] for line in lines] == ["Error", "Hint"], result.stderr
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_no_such_command(polyassay: PolyAssay) -> None:
    assert_told(polyassay("comapre"), 'no command "comapre"', 'did you mean "compare"?')
    assert_told(polyassay("runs", "lst"), "lst", "list")


def test_no_number(polyassay: PolyAssay) -> None:
    told = polyassay("compare", "latest", "a", "b", "--margin", "five")
    assert_told(told, "'five' is not a number.")
    assert_told(polyassay("run", "--jobs", "two"), "'two' is not a whole number.")


def test_no_such_suite(polyassay: PolyAssay, place: Path) -> None:
    result = polyassay("run", "-s", "starter-jav", "-c", "answers.jsonl")
    assert_told(result, 'no suite "starter-jav"', 'did you mean "starter-java"?')


def test_no_such_task(polyassay: PolyAssay, place: Path) -> None:
    assert_told(polyassay("suites", "show", "s", "thrice"), 'no task "thrice"')
    assert polyassay("run", "-s", "s", "-c", "answers.jsonl").returncode == 0
    assert_told(polyassay("show", "latest", "thrice"), 'no task "thrice"')
    assert_told(polyassay("verdicts", "latest", "--task", "thrice"), 'no task "thrice"')
    assert_told(polyassay("verdicts", "latest", "--tool", "nobody"), 'no tool "nobody"')


def test_no_such_run(polyassay: PolyAssay, place: Path) -> None:
    assert_told(polyassay("score", "latest"), "no run yet")


def test_no_such_file(polyassay: PolyAssay, place: Path) -> None:
    assert_told(polyassay("run", "-s", "s", "-c", "nowhere.jsonl"), "nowhere.jsonl")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"task": "twice", "answer": "x"}\n{"task": \n', ("line 2",)),
        (b'{"task": "twice", "answer": "x", "sample": "two"}\n', ("line 1", "sample", "two")),
        (b'{"task": "twice"}\n', ("answer",)),
        (b'{"task": "twice", "answer": "\xff\xfe"}\n', ("UTF-8",)),
        (b"", ("empty",)),
    ],
    ids=["malformed", "wrong-type", "missing-field", "not-utf-8", "empty"],
)
def test_answers_that_cannot_be_read(
    polyassay: PolyAssay, place: Path, content: bytes, words: tuple[str, ...]
) -> None:
    (place / "bad.jsonl").write_bytes(content)
    assert_told(polyassay("run", "-s", "s", "-c", "bad.jsonl"), "bad.jsonl", *words)
    assert_told(polyassay("score", "latest"), "no run yet")  # nothing was begun


def test_bad_lines_can_be_left_out(polyassay: PolyAssay, place: Path) -> None:
    (place / "bad.jsonl").write_text(json.dumps(RIGHT) + "\n{oops\n")
    result = polyassay("run", "-s", "s", "-c", "bad.jsonl", "--skip-bad", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["tools"]["bad"]["passed_tasks"] == 1
    assert "1 line left out" in result.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", ("line 2",)),
        ('{"id": "x"}', ("line 2", "language")),
        (json.dumps(TASK), ("line 2", "twice")),
    ],
    ids=["malformed", "missing-field", "duplicate"],
)
def test_suites_that_cannot_be_read(
    polyassay: PolyAssay, tmp_path: Path, line: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "tasks.jsonl").write_text(json.dumps(TASK) + "\n" + line + "\n")
    assert_told(polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s"), *words)
    assert_told(polyassay("suites", "show", "s"), 'no suite "s"')


def java_place(polyassay: PolyAssay, folder: Path) -> None:
    write_jsonl(folder / "java.jsonl", [JAVA_TASK])
    added = polyassay("suites", "add", "native", "--from", "java.jsonl", "--as", "j")
    assert added.returncode == 0, added.stderr


def test_no_jdk(polyassay: PolyAssay, tmp_path: Path) -> None:
    java_place(polyassay, tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in ("bwrap", "prlimit", "setpriv"):
        (tmp_path / "bin" / tool).symlink_to(Path("/usr/bin") / tool)
    result = polyassay("run", "-s", "j", "-c", "empty", PATH=str(tmp_path / "bin"), JAVA_HOME="")
    assert_told(result, "No JDK", "17")


def test_a_jdk_that_is_too_old(polyassay: PolyAssay, tmp_path: Path) -> None:
    java_place(polyassay, tmp_path)
    old = tmp_path / "jdk8"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "javac").write_text("")
    (old / "release").write_text('JAVA_VERSION="1.8.0_402"\n')
    assert_told(polyassay("run", "-s", "j", "-c", "empty", "--jdk", "jdk8"), "1.8.0_402", "17")


def test_an_unwritable_store(polyassay: PolyAssay, place: Path) -> None:
    url = f"sqlite:///{place}/missing-folder/store.sqlite"
    assert_told(polyassay("run", "-s", "s", "-c", "answers.jsonl", "--store", url), "store")


def test_a_corrupt_store(polyassay: PolyAssay, place: Path) -> None:
    (place / ".polyassay" / "store.sqlite").write_bytes(b"no database at all " * 99)
    assert_told(polyassay("run", "-s", "s", "-c", "answers.jsonl"), "damaged")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, with room for little."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        elsewhere("only root can mount a small file system")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "small", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(polyassay: PolyAssay, place: Path, small_disk: Path) -> None:
    chatty = RIGHT | {"answer": "def twice(n):\n    print('x' * 30000)\n    return 2 * n\n"}
    write_jsonl(place / "many.jsonl", [chatty | {"sample": n} for n in range(60)])
    store = ("--store", f"sqlite:///{small_disk}/store.sqlite")
    assert_told(polyassay("run", "-s", "s", "-c", "many.jsonl", *store), "disk is full", "--resume")
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    resumed = polyassay("run", "--resume", "latest", "--json", *store)
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["tools"]["many"]["outcomes"]["passed"] == 60


def test_no_sandbox_without_trust(polyassay: PolyAssay, place: Path) -> None:
    result = polyassay("run", "-s", "s", "-c", "answers.jsonl", "--sandbox", "none")
    assert_told(result, "--i-trust-this-code")


def test_no_bubblewrap(polyassay: PolyAssay, place: Path) -> None:
    (place / "bin").mkdir()
    path = os.pathsep.join([str(place / "bin")])
    assert_told(polyassay("run", "-s", "s", "-c", "answers.jsonl", PATH=path), "bwrap")


def test_a_k_larger_than_the_samples(polyassay: PolyAssay, place: Path) -> None:
    assert polyassay("run", "-s", "s", "-c", "answers.jsonl").returncode == 0
    assert_told(polyassay("score", "latest", "--k", "5"), "k")


def test_an_unknown_flag_and_command(polyassay: PolyAssay, place: Path) -> None:
    assert_told(polyassay("run", "--sweet"), "--sweet")
    assert_told(polyassay("runn"), "runn")


def test_flags_that_resume_would_ignore(polyassay: PolyAssay, place: Path) -> None:
    assert polyassay("run", "-s", "s", "-c", "answers.jsonl").returncode == 0
    assert_told(polyassay("run", "--resume", "latest", "--timeout", "1"), "--resume")


def test_judging_apart_what_cannot_be(polyassay: PolyAssay, tmp_path: Path) -> None:
    task = TASK | {"tests": [{"name": "test_0", "code": "assert id(twice(1))"}]}
    write_jsonl(tmp_path / "tasks.jsonl", [task])
    added = polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")
    assert added.returncode == 0, added.stderr
    assert_told(polyassay("run", "-s", "s", "-c", "empty", "--judge", "apart"), "twice", "apart")
    refused = polyassay("run", "-s", "s", "-c", "empty", "--judge", "apart", "--engine", "gradle")
    assert_told(refused, "apart")


def test_a_run_says_what_it_will_judge_before_it_gets_anything_ready(polyassay: PolyAssay) -> None:
    """The first line of a run whose output nobody sees yet, as in a pipe."""
    result = polyassay("run", "-s", "starter-java", "-c", "empty", "--jdk", "/nowhere")
    assert_told(result, "/nowhere is not a JDK")
    assert result.stderr.startswith("starter-java 1.0 · 30 tasks · java · 30 candidates of 1 tool")
