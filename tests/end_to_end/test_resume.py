"""A run can be killed at any moment and resumed: nothing lost, nothing twice, nothing left."""

import json
import random
import signal
import subprocess
import time
from pathlib import Path

from command_line import PolyAssay, command, environment, write_jsonl

KILLS = 20
JAVA_ANSWERS, PYTHON_ANSWERS = 60, 240


def java_task() -> dict[str, object]:
    tests = (
        "import static org.junit.jupiter.api.Assertions.*; import org.junit.jupiter.api.Test;"
        " class AddTest { @Test void adds() { assertEquals(3, Add.add(1, 2)); } }"
    )
    return {
        "id": "add-java",
        "language": "java",
        "style": "junit",
        "class_name": "Add",
        "signature": "public static int add(int a, int b)",
        "test_source": tests,
        "tests": [{"name": "adds"}],
        "prompts": {"en": "Add two numbers"},
    }


def python_task() -> dict[str, object]:
    return {
        "id": "add-python",
        "language": "python",
        "style": "function",
        "entry": "add",
        "tests": [{"name": "test_0", "code": "assert add(1, 2) == 3"}],
        "prompts": {"en": "Add two numbers"},
    }


def answers() -> list[dict[str, object]]:
    """Every third is wrong, every seventh does not build."""

    def expression(sample: int) -> str:
        return "a +" if sample % 7 == 0 else "a - b" if sample % 3 == 0 else "a + b"

    java = "public static int add(int a, int b) {{ return {}; }}"
    python = "def add(a, b):\n    return {}\n"
    return [
        {"task": task, "tool": "t", "sample": sample, "answer": form.format(expression(sample))}
        for task, form, count in (
            ("add-java", java, JAVA_ANSWERS),
            ("add-python", python, PYTHON_ANSWERS),
        )
        for sample in range(count)
    ]


def verdicts(polyassay: PolyAssay) -> dict[tuple[str, int], tuple[str, int]]:
    lines = polyassay("verdicts", "latest", "--json").stdout.splitlines()
    read = [json.loads(line) for line in lines]
    found = {(v["task"], v["sample"]): (v["outcome"], v["passed"]) for v in read}
    assert len(found) == len(read), "a candidate has two verdicts"
    return found


def processes_of(folder: Path) -> list[str]:
    """Command lines of living processes that were started in the folder or name it."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            works_in = (place / "cwd").readlink()
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in line or works_in == folder:
            found.append(line)
    return found


def kill_somewhere(arguments: list[str], folder: Path, chance: random.Random) -> bool:
    """Kills the run after a random while; False where it was done before."""
    process = subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(timeout=chance.uniform(0.3, 8.0))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", [java_task(), python_task()])
    write_jsonl(tmp_path / "answers.jsonl", answers())
    assert (
        polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s").returncode == 0
    )
    start = ["run", "-s", "s", "-c", "answers.jsonl"]
    assert polyassay(*start).returncode == 0
    undisturbed = verdicts(polyassay)
    assert len(undisturbed) == JAVA_ANSWERS + PYTHON_ANSWERS

    chance = random.Random(20260116)
    before = polyassay("show", "latest", "--json").stdout
    while polyassay("show", "latest", "--json").stdout == before:
        kill_somewhere(start, tmp_path, chance)
    kills = 1
    while kills < KILLS and kill_somewhere(["run", "--resume", "latest"], tmp_path, chance):
        kills += 1
    resumed = polyassay("run", "--resume", "latest")
    assert resumed.returncode == 0, resumed.stderr
    assert verdicts(polyassay) == undisturbed

    deadline = time.monotonic() + 10
    while (left := processes_of(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left
