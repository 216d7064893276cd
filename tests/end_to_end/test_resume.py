"""A run can be killed at any moment and resumed: nothing lost, nothing twice, nothing left."""

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from command_line import PolyAssay, command, environment, write_jsonl
from orphans import foster_parent

KILLS = 16
HITS = 8  # at least so many of them have to hit a run that is giving verdicts
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


def kill_somewhere(
    arguments: list[str], folder: Path, chance: random.Random, verdict_count: Callable[[], int]
) -> bool:
    """Kills the run as it starts up or, mostly, amid verdicts; True where it hit it there."""
    before = verdict_count()
    seconds = chance.uniform(0.3, 3.0) if chance.random() < 0.3 else None
    process = subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if seconds is None:
        while process.poll() is None and verdict_count() == before:
            time.sleep(0.02)
        seconds = chance.uniform(0, 0.3)
    time.sleep(seconds)
    running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return running and verdict_count() > before


def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    polyassay: PolyAssay, tmp_path: Path, either_store: str
) -> None:
    engine = sa.create_engine(either_store, isolation_level="AUTOCOMMIT")

    def verdict_count() -> int:
        with engine.connect() as connection:
            return int(connection.execute(sa.text("SELECT count(*) FROM verdicts")).scalar_one())

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
    hits = 0
    with foster_parent():
        while polyassay("show", "latest", "--json").stdout == before:
            hits += kill_somewhere(start, tmp_path, chance, verdict_count)
        for _ in range(KILLS):
            hits += kill_somewhere(["run", "--resume", "latest"], tmp_path, chance, verdict_count)
        assert hits >= HITS
        resumed = polyassay("run", "--resume", "latest")
        assert resumed.returncode == 0, resumed.stderr
        assert verdicts(polyassay) == undisturbed
