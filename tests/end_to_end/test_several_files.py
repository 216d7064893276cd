"""Tasks with solution files, through run, show, replay, report and grading, with both engines."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay, write_jsonl
from real_parts import need

TILL, COIN = "src/main/java/Till.java", "src/main/java/Coin.java"
TILL_TEST = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class TillTest {
  @Test void counts() { assertEquals(15, new Till().add(new Coin(10)).add(new Coin(5)).total()); }
  @Test void names() { assertEquals("dime", new Coin(Money.DIME.cents).name()); }
}
"""
JAVA: dict[str, Any] = {
    "id": "till",
    "language": "java",
    "style": "junit",
    "class_name": "Till",
    "prompts": {"en": "Count coins."},
    "test_source": TILL_TEST,
    "support": {
        "Money.java": "enum Money { DIME(10); final int cents; Money(int c) { cents = c; } }"
    },
    "solution": {
        TILL: "class Till {\n  Till add(Coin coin) { return this; }\n"
        "  int total() { return 0; }\n}\n",
        COIN: 'class Coin {\n  Coin(int cents) {}\n  String name() { return ""; }\n}\n',
    },
    "reference": {
        TILL: "import java.util.*;\nclass Till {\n"
        "  private final List<Coin> coins = new ArrayList<>();\n"
        "  Till add(Coin coin) { coins.add(coin); return this; }\n"
        "  int total() { return coins.stream().mapToInt(c -> c.cents).sum(); }\n}\n",
        COIN: "class Coin {\n  final int cents;\n  Coin(int cents) { this.cents = cents; }\n"
        "  String name() { return Names.of(cents); }\n}\n",
        "src/main/java/Names.java": "public class Names {\n  static String of(int cents) { "
        'return "dime"; }\n}\n',
    },
}
# One method whose values can cross: judged apart, though its class uses another file.
TWICE: dict[str, Any] = {
    "id": "twice",
    "language": "java",
    "style": "junit",
    "class_name": "Twice",
    "signature": "public static int twice(int n)",
    "prompts": {"en": "Double."},
    "test_source": "import static org.junit.jupiter.api.Assertions.*;\n"
    "import org.junit.jupiter.api.Test;\n"
    "class TwiceTest { @Test void doubles() { assertEquals(4, Twice.twice(2)); } }\n",
    "solution": {"Twice.java": "class Twice {}\n", "Factor.java": "class Factor {}\n"},
    "reference": {
        "Twice.java": "class Twice { public static int twice(int n) { return n * Factor.TWO; } }\n",
        "Factor.java": "class Factor { static final int TWO = 2; }\n",
    },
}
PYTHON: dict[str, Any] = {
    "id": "shop",
    "language": "python",
    "style": "function",
    "entry": "total",
    "prompts": {"en": "Add prices."},
    "signature": "def total(items)",
    "tests": [{"code": "assert total(['tea', 'milk']) == 5"}, {"code": "assert total([]) == 0"}],
    "solution": {"shop.py": "def total(items):\n    pass\n", "prices.py": "PRICES = {}\n"},
    "reference": {
        "shop.py": "from prices import PRICES\n\n"
        "def total(items):\n    return sum(map(PRICES.get, items))\n",
        "prices.py": "PRICES = {'tea': 2, 'milk': 3}\n",
    },
}
# A unittest file, whose answer is a package of two modules.
BANK: dict[str, Any] = {
    "id": "bank",
    "language": "python",
    "style": "pytest",
    "prompts": {"en": "Keep an account."},
    "test_source": "import unittest\nfrom bank.account import Account\n"
    "class AccountTest(unittest.TestCase):\n"
    "    def test_log(self):\n        self.assertEqual(Account().pay(3).log, ['paid 3'])\n",
    "tests": [{"name": "AccountTest::test_log"}],
    "solution": {"bank/account.py": "class Account:\n    pass\n", "bank/log.py": ""},
    "reference": {
        "bank/account.py": "from .log import told\n\nclass Account:\n    log = ()\n"
        "    def pay(self, n):\n        self.log = [told(n)]\n        return self\n",
        "bank/log.py": "def told(n):\n    return f'paid {n}'\n",
    },
}
WRONG_TILL = JAVA["reference"][TILL].replace(".sum()", ".max().getAsInt()")
CHAT = f"Here is `Till.java`:\n```java\n{WRONG_TILL}```\nand the rest:\n" + "".join(
    f"```java\n{JAVA['reference'][path]}```\n" for path in (COIN, "src/main/java/Names.java")
)
HALF = {
    "task": "till",
    "sample": 1,
    "files": {COIN: JAVA["reference"][COIN].replace("Names.of(cents)", '"dime"')},
}
SLY = {
    "task": "till",
    "sample": 2,
    "files": {
        **JAVA["reference"],
        "src/test/java/TillTest.java": "class TillTest {}",
        "Money.java": "x",
    },
}
ANSWERS: list[dict[str, Any]] = [
    {"task": "till", "answer": CHAT},
    HALF,
    SLY,
    {"task": "twice", "files": TWICE["reference"]},
    {"task": "twice", "sample": 1, "files": {"Twice.java": TWICE["reference"]["Twice.java"]}},
    {"task": "bank", "files": BANK["reference"]},
    {"task": "bank", "sample": 1, "files": {"bank/log.py": "def told(n): 1"}},
    {"task": "shop", "files": PYTHON["reference"]},
    {"task": "shop", "sample": 1, "files": {"shop.py": PYTHON["reference"]["shop.py"]}},
]
# (task, sample) → outcome, passed tests, judged
EXPECTED = {
    ("till", 0): ("failed", 1, "together"),
    ("till", 1): ("failed", 1, "together"),  # its Till is still the stub
    ("till", 2): ("passed", 2, "together"),
    ("twice", 0): ("passed", 1, "apart"),
    ("twice", 1): ("unbuilt", 0, "apart"),  # its Factor is still the stub
    ("bank", 0): ("passed", 1, "together"),
    ("bank", 1): ("failed", 0, "together"),
    ("shop", 0): ("passed", 2, "apart"),
    ("shop", 1): ("failed", 1, "apart"),
}


@pytest.fixture
def run(tmp_path: Path, polyassay: PolyAssay) -> list[dict[str, Any]]:
    """The verdicts of a run of all answers."""
    need("java")
    write_jsonl(tmp_path / "tasks.jsonl", [JAVA, TWICE, BANK, PYTHON])
    write_jsonl(tmp_path / "answers.jsonl", ANSWERS)
    added = polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "files")
    assert added.returncode == 0, added.stderr
    result = polyassay("run", "-s", "files", "-c", "finch=answers.jsonl", "-j", "1")
    assert result.returncode == 0, result.stderr
    said = polyassay("verdicts", "latest", "--json")
    return [json.loads(line) for line in said.stdout.splitlines()]


def found(verdicts: list[dict[str, Any]]) -> dict[tuple[str, int], tuple[str, int, str]]:
    return {(v["task"], v["sample"]): (v["outcome"], v["passed"], v["judged"]) for v in verdicts}


def test_from_run_to_report(
    tmp_path: Path, polyassay: PolyAssay, run: list[dict[str, Any]]
) -> None:
    assert found(run) == EXPECTED
    shown = polyassay("show", "latest", "till", "--sample", "0")
    for told in (f"// {TILL}", f"// {COIN}", "// src/main/java/Names.java", "from 3 fenced blocks"):
        assert told in shown.stdout
    assert "src/main/java/TillTest.java" not in polyassay("show", "latest", "till").stdout
    (line,) = polyassay("show", "latest", "shop", "--sample", "0", "--json").stdout.splitlines()
    assert json.loads(line)["program"]["files"] == {"prices.py": PYTHON["reference"]["prices.py"]}
    (unbuilt,) = [v for v in run if v["outcome"] == "unbuilt"]
    assert "Twice.java:1: cannot find symbol" in unbuilt["reason"]
    for task in ("till", "twice", "bank", "shop"):
        again = polyassay("replay", "latest", task)
        assert "the run had" not in again.stdout and "as in the run" in again.stdout
    polyassay("report", "latest", "-o", "page")
    pages = "".join(path.read_text() for path in (tmp_path / "page").rglob("*.html"))
    assert "// src/main/java/Names.java" in pages and "# prices.py" in pages
    code = html.unescape(re.sub("<[^>]+>", "", pages))  # without the marks that colour it
    assert '{ return "dime"; }' in code and "'tea': 2, 'milk': 3" in code


@pytest.mark.parametrize(
    ("task", "answer", "shown"),
    [
        (PYTHON, ANSWERS[7], ("# shop.py", "# prices.py", "PRICES = {'tea': 2, 'milk': 3}")),
        (
            JAVA,
            ANSWERS[0],
            (f"// {TILL}", "public class Names {", '{ return "dime"; }', "Coin(int cents) {}"),
        ),
    ],
    ids=["python", "java"],
)
def test_people_grade_all_files_at_once(
    tmp_path: Path,
    polyassay: PolyAssay,
    task: dict[str, Any],
    answer: dict[str, Any],
    shown: tuple[str, ...],
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", [task])
    write_jsonl(tmp_path / "answers.jsonl", [answer])
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "files")
    graded = polyassay(
        *("grade", "start", "-c", "finch=answers.jsonl", "--suite", "files"),
        *("--grader", "ann", "--repeat", "0", "--plain"),
    )
    for text in shown:
        assert text in graded.stdout, graded.stderr


def test_the_gradle_engine_agrees(
    tmp_path: Path, polyassay: PolyAssay, run: list[dict[str, Any]]
) -> None:
    need("gradle")
    polyassay("run", "-s", "files", "-c", "finch=answers.jsonl", "--engine", "gradle", "-j", "1")
    said = polyassay("verdicts", "latest", "--json").stdout.splitlines()
    plain = found([json.loads(line) for line in said])
    assert {key: each[:2] for key, each in plain.items()} == {
        key: each[:2] for key, each in EXPECTED.items()
    }


def test_references_pass_and_empty_answers_and_mutants_do_not(
    tmp_path: Path, polyassay: PolyAssay
) -> None:
    need("java")
    write_jsonl(tmp_path / "tasks.jsonl", [JAVA, TWICE, BANK, PYTHON])
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "files")
    checked = polyassay("suites", "check", "files", "--mutants", "2", "--json")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    mutants = json.loads(checked.stdout)["mutants"]
    tasks = ("till", "twice", "bank", "shop")
    assert {name: of["of"] for name, of in mutants["tasks"].items()} == dict.fromkeys(tasks, 2)
    assert mutants["caught"] == 8


def test_a_folder_holds_the_files_of_a_task(tmp_path: Path, polyassay: PolyAssay) -> None:
    folder = tmp_path / "suite" / "shop"
    for part in ("solution", "reference"):
        for path, text in PYTHON[part].items():
            (folder / part / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / part / path).write_text(text)
    (tmp_path / "suite" / "suite.toml").write_text('name = "shops"\n')
    about = (
        'language = "python"',
        'style = "function"',
        'entry = "total"',
        "[prompts]",
        'en = "Add."',
    )
    (folder / "task.toml").write_text("\n".join(about) + "\n")
    (folder / "tests.py").write_text("def test_tea():\n    assert total(['tea']) == 2\n")
    assert polyassay("suites", "add", "native", "--from", "suite").returncode == 0
    answer = tmp_path / "answers" / "shop"
    answer.mkdir(parents=True)
    for path, text in PYTHON["reference"].items():
        (answer / path).write_text(text)
    result = polyassay("run", "-s", "shops", "-c", "finch=answers", "-c", "reference", "--json")
    tools = json.loads(result.stdout)["tools"]
    assert [tools[name]["passed_tasks"] for name in ("finch", "reference")] == [1, 1]
