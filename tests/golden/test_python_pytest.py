"""A suite's own pytest file, run by the pytest of an environment: here, the one that runs this."""

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.environments.interpreters import Installed, Interpreter
from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.harness.python.vetting import CollectedTests
from polyassay.harness.table import Harnesses
from polyassay.junit.report import verdict_of
from polyassay.model import (
    NAMED,
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Program,
    Style,
    Task,
    Test,
    Verdict,
)
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites.make import make_suite
from polyassay.vetting.pytest_names import with_test_names
from real_parts import missing

TASK = Task(
    id="half",
    suite="pytests",
    language=Language.PYTHON,
    style=Style.PYTEST,
    prompts={"en": "Halve it."},
    tests=(Test("test_even"), Test("test_refuses_text")),
    test_source=(
        "import pytest\nfrom answer import half\n\n"
        "def test_even():\n    assert half(4) == 2\n\n"
        "def test_refuses_text():\n    with pytest.raises(TypeError):\n        half('a')\n"
    ),
    together_because="a pytest file imports the answer",
)
MANY = """
import sys
import unittest

import pytest
from answer import Box, half


class TestFirst(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = Box(3)

    def test_value(self):
        self.assertEqual(self.box.value, 3)

    def test_twice(self):
        for value in (1, 2, 3):
            with self.subTest(value=value):
                self.assertEqual(Box(value).twice(), 2 * value)

    @unittest.skip("not yet")
    def test_later(self):
        raise RuntimeError


class TestSecond(unittest.TestCase):
    def test_value(self):
        self.assertEqual(Box(5).value, 5)


class TestPlain:
    @pytest.mark.parametrize(("whole", "part"), [(2, 1), (8, 4)])
    def test_half(self, whole, part):
        assert half(whole) == part

    @pytest.mark.skipif(sys.version_info > (3, 0), reason="old")
    def test_old(self):
        raise RuntimeError


@pytest.mark.xfail
def test_known_to_fail():
    assert half(1) == 7
"""
RIGHT = (
    "def half(x):\n    return x // 2\n\n"
    "class Box:\n    def __init__(self, value):\n        self.value = value\n"
    "    def twice(self):\n        return 2 * self.value\n"
)
NAMES = (
    "TestFirst::test_twice",
    "TestFirst::test_value",
    "TestSecond::test_value",
    "TestPlain::test_half[2-1]",
    "TestPlain::test_half[8-4]",
)
DISABLED = ("TestFirst::test_later", "TestPlain::test_old", "test_known_to_fail")
CLASSES = replace(TASK, id="box", test_source=MANY, reference=RIGHT, tests=())


@pytest.fixture(autouse=True)
def borrowed_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose libraries are those of the interpreter that runs the tests."""
    prefix = Path(sys.prefix)
    if not (prefix / "pyvenv.cfg").is_file():
        missing("environment", "run the tests by the Python of a virtual environment")
    readable = tuple(
        path for path in (prefix, Path(sys.base_prefix)) if not path.is_relative_to("/usr")
    )
    has_pytest = Installed(frozenset({"pytest"}))
    borrowed = Interpreter(prefix / "bin" / "python", readable, installed=lambda: has_pytest)
    monkeypatch.setattr(
        "polyassay.harness.python.harness.interpreter_of", lambda home, suite: borrowed
    )


def judge(code: str, task: Task = TASK) -> Verdict:
    harness = PythonHarness(RunSettings(Bubblewrap(), Path()))
    candidate = Candidate(CandidateKey("pytests", task.id, "tool", "en", 0), code)
    with closing(harness):
        (report,) = harness.open().judge([Job(task, candidate, Program(code))])
    return verdict_of(task, candidate, report)


def found_in(task: Task) -> CollectedTests:
    with closing(PythonHarness(RunSettings(Bubblewrap(), Path()))) as harness:
        return harness.collected(task)


def with_names(names: Sequence[str]) -> Task:
    return replace(CLASSES, tests=tuple(map(Test, names)))


@pytest.mark.parametrize(
    ("code", "outcome", "statuses"),
    [
        ("def half(x):\n    return x / 2\n", "passed", ["passed", "passed"]),
        ("def half(x):\n    return 2\n", "failed", ["passed", "failed"]),
        ("def half(x:\n", "unbuilt", ["not_run", "not_run"]),
        ("import os\ndef half(x):\n    os._exit(0)\n", "crashed", ["crashed", "crashed"]),
        ("def half(x):\n    raise SystemExit\n", "failed", ["error", "error"]),
        ("def half(x):\n    raise KeyboardInterrupt\n", "crashed", ["crashed", "crashed"]),
        ("import pytest\ndef half(x):\n    pytest.skip()\n", "failed", ["skipped", "skipped"]),
        ("import pytest\ndef half(x):\n    pytest.exit('')\n", "crashed", ["crashed", "crashed"]),
    ],
)
def test_pytest_file(code: str, outcome: str, statuses: list[str]) -> None:
    verdict = judge(code)
    assert verdict.outcome == outcome, verdict.reason
    assert [test.status for test in verdict.tests] == statuses


def test_a_missing_name_is_reported_as_that() -> None:
    verdict = judge("def halve(x):\n    return x / 2\n")
    assert verdict.outcome == "unbuilt"
    assert "cannot import name 'half' from 'answer'" in verdict.reason


def test_pytest_itself_finds_the_tests_and_what_their_publisher_switched_off() -> None:
    assert found_in(CLASSES) == CollectedTests(NAMES, DISABLED, "")


def test_tests_are_found_without_a_reference_that_works() -> None:
    for reference in ("", "import nothing_of_that_name\n", "def half(x:\n"):
        assert found_in(replace(CLASSES, reference=reference)).names == NAMES


def test_a_file_that_cannot_be_collected_says_why() -> None:
    broken = found_in(replace(CLASSES, test_source="import numpie\n" + MANY))
    assert "No module named 'numpie'" in broken.problem and not broken.names
    empty = found_in(replace(CLASSES, test_source="import answer\n"))
    assert empty.problem == "pytest finds no tests in its file"


def test_results_carry_the_collected_names() -> None:
    verdict = judge(RIGHT, with_names(NAMES))
    assert (verdict.outcome, verdict.passed, verdict.total) == ("passed", 5, 5), verdict.reason
    assert tuple(test.name for test in verdict.tests) == NAMES


def test_the_same_method_of_two_classes_is_two_tests_and_a_subtest_is_none() -> None:
    wrong = RIGHT.replace("return 2 * self.value", "return 2").replace(
        "self.value = value", "self.value = value if value < 5 else 0"
    )
    statuses = {test.name: test.status for test in judge(wrong, with_names(NAMES)).tests}
    assert statuses["TestFirst::test_value"] == "passed"
    assert statuses["TestSecond::test_value"] == "failed"
    assert statuses["TestFirst::test_twice"] == "failed"
    assert len(statuses) == 5


@pytest.mark.parametrize(
    ("deed", "status"),
    [
        ("import os; os._exit(0)", "crashed"),
        ("while True: pass", "timed_out"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "crashed"),
        ("held = [bytes(1 << 20) for _ in range(4096)]", "out_of_memory"),
        ("raise MemoryError", "out_of_memory"),
    ],
)
def test_one_bad_test_costs_itself_only(deed: str, status: str) -> None:
    code = RIGHT.replace("    return x // 2", f"    if x == 2:\n        {deed}\n    return x // 2")
    task = replace(with_names(NAMES), limits=Limits(1, 20, 256))
    statuses = {test.name: test.status for test in judge(code, task).tests}
    assert statuses.pop("TestPlain::test_half[2-1]") == status
    assert set(statuses.values()) == {"passed"}


def test_a_candidate_that_waits_for_ever_is_ended_by_its_own_time() -> None:
    code = RIGHT.replace("    return x // 2", "    import time; time.sleep(1000)")
    verdict = judge(code, replace(with_names(NAMES), limits=Limits(1, 2, 256)))
    statuses = [test.status for test in verdict.tests]
    assert statuses == ["passed", "passed", "passed", "timed_out", "not_run"]


def test_a_result_cannot_be_told_for_another_test() -> None:
    forged = (
        'import os, struct\nframe = b\'{"name": "TestPlain::test_half[2-1]", '
        '"status": "passed", "token": ""}\'\n'
        "os.write(3, struct.pack('>I', len(frame)) + frame)\n" + RIGHT
    )
    assert judge(forged, with_names(NAMES)).outcome != "passed"


def test_a_test_that_depends_on_the_answer_is_missed_by_name() -> None:
    source = MANY.replace("[(2, 1), (8, 4)]", "Box.cases")
    cases = "    cases = [(2, 1), (8, 4)]\n"
    right = RIGHT + cases
    task = replace(with_names(NAMES), test_source=source)
    assert judge(right, task).outcome == "passed"
    verdict = judge(RIGHT + "    cases = [(2, 1)]\n", task)
    last = verdict.tests[-1]
    assert verdict.outcome == "failed" and verdict.passed == 4
    assert "does not find this test" in last.message


def test_names_are_kept_in_the_suite_and_wrong_ones_are_told() -> None:
    wrong = replace(with_names(["TestFirst::test_values"]), id="wrong")
    suite = make_suite("pytests", [CLASSES, wrong])
    assert suite.libraries == {"default": ("pytest",)}
    told: list[str] = []
    named = with_test_names(suite, RunSettings(Bubblewrap(), Path()), told.append)
    assert tuple(test.name for test in named.tasks[0].tests) == NAMES
    assert named.checksum != suite.checksum and named.version == named.checksum[:8]
    (line,) = told
    assert "wrong cannot be judged here" in line and 'did you mean "TestFirst::test_value"' in line


def test_the_module_has_the_name_that_its_task_gives_it() -> None:
    source = (
        "import inspect, paasio\n\ndef test_file():\n"
        "    assert inspect.getsourcefile(paasio.half).endswith('paasio.py')\n"
        "    assert 'half' in open(paasio.__file__).read()\n"
        "    assert paasio.half.__code__.co_filename.endswith('paasio.py')\n"
    )
    task = replace(TASK, test_source=source, tests=(Test("test_file"),), extra={"module": "paasio"})
    verdict = judge("def half(x):\n    return x / 2\n", task)
    assert verdict.outcome == "passed", verdict.reason


def test_files_whose_tests_are_named_are_left_to_the_slots() -> None:
    broken = replace(TASK, test_source="import numpie\n" + TASK.test_source)
    named = replace(broken, id="named", extra={NAMED: "yes"})
    with closing(Harnesses(RunSettings(Bubblewrap(), Path()))) as harnesses:
        harnesses.vet([broken, named])
        known = harnesses.settings.obstacles
        assert list(known) == [("pytests", "half")] and "numpie" in known["pytests", "half"]
        assert "numpie" in harnesses.obstacle(named)
