"""aider's polyglot benchmark, from a checkout made here in its form, and from a real one."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay
from polyassay.collect.stubs import workspace_files
from polyassay.errors import PolyAssayError
from polyassay.model import Suite
from polyassay.suites.manifest import load_manifest
from polyassay.suites.public import aider_polyglot
from real_parts import need, polyglot_checkout

TILL = "src/main/java/Till.java"
JAVA = {
    ".meta/config.json": json.dumps(
        {
            "files": {
                "solution": [TILL],
                "test": ["src/test/java/TillTest.java", "src/test/java/Words.java"],
                "example": [
                    ".meta/src/reference/java/Till.java",
                    ".meta/src/reference/java/A.java",
                ],
                "editor": ["src/main/java/Money.java"],
            }
        }
    ),
    ".docs/introduction.md": "# Introduction\n",
    ".docs/instructions.md": "# Instructions\n\nCount.\n",
    TILL: "/** Counts Money. */\nclass Till {\n    Till(int start) {\n    }\n\n"
    "    int add(Integer n) { return 0; }\n}\n",
    "src/main/java/Money.java": "enum Money { DIME }\n",
    "src/test/java/Words.java": 'class Words { static final String SUM = "sum"; }\n',
    "src/test/java/TillTest.java": """
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

public class TillTest {
    @Test
    public void first() {
        assertEquals(3, new Till(1).add(2), Words.SUM);
    }

    @Disabled("Remove to run test")
    @Test
    public void second() {
        assertEquals(1, new Till(1).add(0));
    }

    @Disabled
    @Test
    public void never() {
        assertEquals(1, 2);
    }
}
""",
    ".meta/src/reference/java/Till.java": "class Till {\n    private final int start;\n\n"
    "    Till(int start) { this.start = start; }\n\n"
    "    int add(Integer n) { return A.dd(start, n); }\n}\n",
    ".meta/src/reference/java/A.java": "class A { static int dd(int a, int b) { return a + b; } }",
}
PYTHON = {
    ".meta/config.json": json.dumps(
        {
            "files": {
                "solution": ["till.py"],
                "test": ["till_test.py", "test_utils.py"],
                "example": [".meta/example.py"],
            }
        }
    ),
    ".docs/instructions.md": "Count.\n",
    "till.py": "def add(a, b):\n    pass\n",
    "test_utils.py": "THREE = 3\n",
    "till_test.py": """import unittest
from test_utils import THREE
import till

class TillTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(till.add(1, 2), THREE)
        self.assertTrue(till.__file__.endswith("till.py"))

class OtherTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(till.add(0, 0), 0)
""",
    ".meta/example.py": "def add(a, b):\n    return a + b\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """With jars that hold nothing, because its tests use nothing of them."""
    folder = tmp_path / "polyglot"
    for language, files in (("java", JAVA), ("python", PYTHON)):
        for name, text in files.items():
            place = folder / language / "exercises" / "practice" / "till" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    (folder / "lib").mkdir()
    for name in load_manifest("aider-polyglot").files:
        if name.startswith("lib/"):
            zipfile.ZipFile(folder / name, "w").close()
    return folder


def test_exercises_become_tasks(checkout: Path) -> None:
    need("java")
    java, python = aider_polyglot.read(checkout, None)
    assert (java.name, python.name) == ("aider-polyglot-java", "aider-polyglot-python")
    (task,) = java.tasks
    assert java.licence == python.licence == "MIT (Exercism)"
    assert (java.version, task.id, task.class_name) == ("1.0+modified", "till", "Till")
    assert [test.name for test in task.tests] == ["first", "second"]  # and none that stays disabled
    assert task.signature == "Till(int start); int add(Integer n)" and not task.together_because
    assert task.prompts["en"] == "# Introduction\n# Instructions\n\nCount.\n"
    assert set(task.support) == {"Money.java", "Words.java"}
    assert set(task.reference_files) == {TILL, "src/main/java/A.java"}
    assert (task.limits.seconds, task.limits.total_seconds) == (10, 180)
    assert python.tasks[0].extra == {"module": "till"} and python.tasks[0].cluster == task.cluster


def test_what_is_no_checkout_is_refused(tmp_path: Path, checkout: Path) -> None:
    need("java")
    with pytest.raises(PolyAssayError, match="is no checkout of the polyglot benchmark"):
        aider_polyglot.read(tmp_path, None)
    jar = next((checkout / "lib").iterdir())
    jar.unlink()
    with pytest.raises(PolyAssayError, match=f"has no lib/{jar.name}") as refused:
        aider_polyglot.read(checkout, None)
    assert "org.assertj:assertj-core:3.25.1" in refused.value.hint
    (checkout / "java/exercises/practice/till/.meta/config.json").unlink()
    with pytest.raises(PolyAssayError, match=r"has no \.meta/config"):
        aider_polyglot.read(checkout, None)


def outcomes(polyassay: PolyAssay) -> dict[tuple[str, str], tuple[str, int, int]]:
    lines = polyassay("verdicts", "latest", "--json").stdout.splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return {(r["suite"][15:], r["tool"]): (r["outcome"], r["passed"], r["total"]) for r in rows}


def test_a_run_of_aiders_is_judged(tmp_path: Path, checkout: Path, polyassay: PolyAssay) -> None:
    need("java")
    added = polyassay("suites", "add", "aider-polyglot", "--from", str(checkout))
    assert added.returncode == 0, added.stderr
    run = tmp_path / "run"
    wrong = JAVA[TILL].replace("return 0", "return n")
    for language, name, text in (("java", TILL, wrong), ("python", "till.py", "def add(a, b): 1")):
        place = run / language / "exercises" / "practice" / "till" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    suites = ("-s", "aider-polyglot-java", "-s", "aider-polyglot-python")
    result = polyassay("run", *suites, "-c", "reference", "-c", "empty", "-c", f"o1={run}")
    assert result.returncode == 0, result.stderr
    assert outcomes(polyassay) == {
        ("java", "reference"): ("passed", 2, 2),
        ("java", "empty"): ("failed", 0, 2),
        ("java", "o1"): ("failed", 0, 2),
        ("python", "reference"): ("passed", 2, 2),
        ("python", "empty"): ("failed", 0, 2),
        ("python", "o1"): ("failed", 0, 2),
    }


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_exercises_are_collected_as_aider_lays_them_out(
    tmp_path: Path, checkout: Path, polyassay: PolyAssay
) -> None:
    """Stubs and given sources, at their places and as they are; no test and no reference."""
    need("java")
    added = polyassay("suites", "add", "aider-polyglot", "--from", str(checkout))
    assert added.returncode == 0, added.stderr
    suites = ("-s", "aider-polyglot-java", "-s", "aider-polyglot-python")
    laid_out = polyassay("collect", "new", "mine", *suites, "--tool", "o1")
    assert laid_out.returncode == 0, laid_out.stderr
    sample = tmp_path / "mine" / "sample-0"
    (java,) = sample.glob("t00?-till")
    (python,) = sample.glob("*.py")
    money = "src/main/java/Money.java"
    jars = {f"lib/{jar.name}" for jar in (checkout / "lib").iterdir()}
    written = {name: text for name, text in files(java).items() if name not in jars}
    assert written == {TILL: JAVA[TILL], money: JAVA[money]}
    assert python.read_text() == PYTHON["till.py"]
    (java / TILL).write_text(JAVA[TILL].replace("return 0", "return n"))
    taken = polyassay("collect", "take", "mine", "-o", "o1.jsonl")
    assert taken.returncode == 0, taken.stderr
    (line,) = (tmp_path / "o1.jsonl").read_text().splitlines()
    assert list(json.loads(line)["files"]) == [TILL]


def test_the_real_exercises_are_laid_out_whole() -> None:
    need("java")
    checkout = polyglot_checkout()
    for suite in aider_polyglot.read(checkout, None):
        language = suite.name.rpartition("-")[2]
        for task in suite.tasks:
            place = checkout / language / aider_polyglot.EXERCISES / task.id
            about = json.loads((place / aider_polyglot.CONFIG).read_text())["files"]
            laid_out = workspace_files(task, suite.jars, "en")
            given = {path for path in laid_out.given if path.startswith("src/")}
            assert {*laid_out.stubs, *given} == {*about["solution"], *about.get("editor", [])}


def test_the_real_checkout_has_its_tasks() -> None:
    need("java")
    suites: list[Suite] = aider_polyglot.read(polyglot_checkout(), None)
    assert [len(suite.tasks) for suite in suites] == [47, 34]
    assert [suite.version for suite in suites] == ["1.0", "1.0"]
    apart = [task.id for task in suites[0].tasks if not task.together_because]
    assert len(apart) >= 15
