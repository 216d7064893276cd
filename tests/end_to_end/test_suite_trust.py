"""`suites check` with mutants and repetitions, on tests that are known to be good or bad."""

import json
from pathlib import Path
from typing import Any

from command_line import PolyAssay, write_jsonl

REFERENCE = "def clamp(x, low, high):\n    return max(low, min(x, high))\n"
CLAMP = {
    "language": "python",
    "style": "function",
    "entry": "clamp",
    "prompts": {"en": "Keep x between low and high."},
    "signature": "def clamp(x, low, high)",
    "reference": REFERENCE,
}
STRONG = CLAMP | {
    "id": "strong",
    "tests": [
        {"code": "assert clamp(5, 0, 3) == 3"},
        {"code": "assert clamp(-5, 0, 3) == 0"},
        {"code": "assert clamp(2, 0, 3) == 2"},
    ],
}
WEAK = CLAMP | {"id": "weak", "tests": [{"code": "assert clamp(2, 2, 3) == 2"}]}
FLAKY = CLAMP | {
    "id": "flaky",
    "tests": [
        {"code": "import random\nassert random.random() < 0.5 and clamp(1, 0, 2) == 1"},
        {"code": "assert clamp(1, 0, 2) == 1"},
    ],
}
LARGEST = {
    "id": "largest",
    "language": "java",
    "style": "junit",
    "class_name": "Largest",
    "prompts": {"en": "The larger of two numbers."},
    "signature": "public static int of(int a, int b)",
    "reference": "public class Largest {\n"
    "  public static int of(int a, int b) {\n"
    "    if (a > b) {\n      return a;\n    }\n    return b;\n  }\n}\n",
    "test_source": "import static org.junit.jupiter.api.Assertions.assertEquals;\n"
    "import org.junit.jupiter.api.Test;\nclass LargestTest {\n"
    "  @Test void first() { assertEquals(2, Largest.of(2, 1)); }\n"
    "  @Test void second() { assertEquals(3, Largest.of(1, 3)); }\n}\n",
}


def checked(polyassay: PolyAssay, tmp_path: Path, code: int, *tasks: object, flags: str) -> Any:
    write_jsonl(tmp_path / "mine.jsonl", list(tasks))  # type: ignore[arg-type]
    assert polyassay("suites", "add", "native", "--from", "mine.jsonl").returncode == 0
    found = polyassay("suites", "check", "mine", "--json", *flags.split())
    assert found.returncode == code, found.stderr
    return json.loads(found.stdout)


def test_weak_tests_let_mutants_pass(polyassay: PolyAssay, tmp_path: Path) -> None:
    value = checked(polyassay, tmp_path, 0, STRONG, WEAK, flags="--mutants all")["mutants"]
    assert value["of"] == 6 and value["equivalent"] == 0  # each: two calls and the return
    strong = value["tasks"]["strong"]
    assert (strong["caught"], strong["of"], strong["survivors"]) == (3, 3, [])
    assert strong["by_test"] == {"test_0": 3, "test_1": 1, "test_2": 2}
    assert set(value["tasks"]["weak"]["survivors"]) == {
        "line 2, call: min(x, high) → x",
        "line 2, call: max(low, min(x, high)) → low",
    }
    assert value["low"] < value["share"] == 4 / 6 < value["high"]
    shown = polyassay("suites", "check", "mine", "--mutants", "1", "--seed", "7").stdout
    assert "Mutants: " in shown and "1 a task, seed 7" in shown
    assert "4 of 6 caught" in polyassay("suites", "show", "mine").stdout
    card = json.loads(polyassay("suites", "show", "mine", "--json").stdout)["trust"]
    assert card["mutants"]["of"] == 6  # the larger of the two measurements


def test_flaky_tests_are_found_and_kept(polyassay: PolyAssay, tmp_path: Path) -> None:
    flags = "--repeat 20 --under-load"
    found = checked(polyassay, tmp_path, 100, FLAKY, STRONG, flags=flags)["flakes"]
    assert list(found["flaky"]) == ["flaky"] and list(found["flaky"]["flaky"]) == ["test_0"]
    flake = found["flaky"]["flaky"]["test_0"]
    assert 0 < flake["passed"] < flake["of"] == 20
    run = polyassay("run", "-s", "mine", "-c", "empty")
    assert "Flaky: 1 task" in run.stdout
    shown = polyassay("suites", "check", "mine", "--repeat", "20").stdout
    assert "Flaky: 1 of 5 tests, each repeated 20 times." in shown
    assert "flaky test_0 passed" in shown


def test_java_mutants(polyassay: PolyAssay, tmp_path: Path) -> None:
    value = checked(polyassay, tmp_path, 0, LARGEST, flags="--mutants all")["mutants"]
    largest = value["tasks"]["largest"]
    assert (largest["caught"], largest["of"]) == (3, 4)
    assert largest["survivors"] == ["line 3, boundary: > → >="]


def test_flags_that_make_no_sense_are_refused(polyassay: PolyAssay, tmp_path: Path) -> None:
    for flags in (["--under-load"], ["--mutants", "0"], ["--mutants", "many"], ["--repeat", "1"]):
        assert polyassay("suites", "check", "starter-python", *flags).returncode == 2
