"""An answer that returns an object instead of a value never passes, whatever the object claims."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, CandidateKey, Judging, Limits, Outcome, Program, Task
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites import ADAPTERS

# What the object does when it is compared.
DOES = {
    "claims": "return True",
    "raises": "raise ValueError('no')",
    "hangs": "\n        while True: pass",
    "exits": "import os; os._exit(0)",
}
OBJECT = """
class Liar:
    def __eq__(self, other):
        {does}
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __sub__(self, other):
        return 0.0
    __rsub__ = __sub__
    def __abs__(self):
        return 0.0
    def __hash__(self):
        return 0
    def __bool__(self):
        return True
    def __iter__(self):
        return iter([Liar()])
    def __len__(self):
        return 1

def {entry}(*args, **kwargs):
    return {value}
"""
VALUES = {"alone": "Liar()", "in a list": "[Liar()]", "in a tuple": "(Liar(), Liar())"}


# Methods that data has, of an object that is none: a test asks it yes or no.
ASKED = {
    "begins": "answer(1).startswith('ab')",
    "ends": "answer(1).endswith('yz')",
    "is a part": "answer(1).issubset({1, 2})",
    "has a part": "answer(1).issuperset({1, 2})",
    "has nothing of it": "answer(1).isdisjoint({1, 2})",
    "is of digits": "answer(1).isdigit()",
    "is in capitals": "answer(1).isupper() and not answer(1).islower()",
    "is whole": "answer(1).is_integer()",
    "equals": "answer(1).equals([1, 2])",
    "all": "answer(1).all()",
    "any": "not answer(1).any()",
    "by getattr": "getattr(answer(1), 'startswith')('ab')",
}
YES = """
class Yes{base}:
    def yes(self, *a): return True
    def no(self, *a): return False
    startswith = endswith = issubset = issuperset = isdisjoint = isdigit = isupper = yes
    is_integer = equals = all = yes
    islower = any = no
def answer(x): return Yes({value})
"""
BASES = {
    "object": ("", ""),
    "text": ("(str)", "'q'"),
    "number": ("(float)", "0.5"),
    "set": ("(set)", "{9}"),
}
# Data in which the answer puts functions under the names of what data is asked.
HOLDERS = {
    "named tuple": "T = namedtuple('T', NAMES)\ndef answer(x): return T(*YES)\n",
    "named tuple in a list": (
        "T = namedtuple('T', NAMES)\ndef answer(x): return [T(*YES)]\n"
        "answer = lambda x, inner=answer: inner(x)[0]\n"
    ),
    "error": (
        "def answer(x):\n    error = ValueError(x)\n"
        "    vars(error).update(zip(NAMES, YES))\n    return error\n"
    ),
    "error of its own": (
        "Odd = type('Odd', (Exception,), dict(zip(NAMES, map(staticmethod, YES))))\n"
        "def answer(x): return Odd(x)\n"
    ),
    "function": (
        "def answer(x):\n    found = lambda: x\n"
        "    vars(found).update(zip(NAMES, YES))\n    return found\n"
    ),
}
HELD = (
    "from collections import namedtuple\n"
    "NAMES = ['startswith', 'equals', 'all', 'isdigit', 'issubset', 'difference', 'isdisjoint']\n"
    "YES = [lambda *a: True, bool, lambda *a: True, lambda *a: 1, bool, lambda *a: {}, bool]\n"
)
HELD_ASKED = (
    "answer(1).startswith('ab')",
    "answer(1).equals([1, 2])",
    "answer(1).all()",
    "answer(1).isdigit()",
    "answer(1).issubset({1, 2})",
    "not answer(1).difference({1, 2})",
    "answer(1).isdisjoint({1, 2})",
)
NAMED_ALIKE = """
class Alike(Exception): pass
Alike.__name__ = Alike.__qualname__ = "{name}"
Alike.__module__ = "{module}"
def answer(x): raise Alike("x")
"""
CATCH = "import json\ntry: answer(1)\nexcept {}: pass\nelse: assert False"


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("asked", ASKED)
def test_no_object_says_yes(apart: PythonSession, base: str, asked: str) -> None:
    kind, value = BASES[base]
    if (base, asked) == ("set", "has nothing of it"):
        value = "{1}"
    code = YES.format(base=kind, value=value)
    verdict = judge(apart, python_task(f"assert {ASKED[asked]}"), code)
    assert verdict.judged is Judging.APART
    assert verdict.outcome is Outcome.FAILED, verdict


@pytest.mark.parametrize("holder", HOLDERS)
def test_no_function_that_data_holds_says_yes(apart: PythonSession, holder: str) -> None:
    task = python_task(*(f"assert {asked}" for asked in HELD_ASKED))
    verdict = judge(apart, task, HELD + HOLDERS[holder])
    assert verdict.judged is Judging.APART
    assert "passed" not in [test.status for test in verdict.tests], verdict


@pytest.mark.parametrize("field", ["all", "isdigit", "difference", "count", "equals"])
def test_data_keeps_such_a_name_of_its_own(apart: PythonSession, field: str) -> None:
    code = f"from collections import namedtuple\nT = namedtuple('T', '{field}')\nanswer = T\n"
    test = f"assert answer(5).{field} == 5 and answer(5) == (5,) and answer([1]).{field} == [1]"
    assert judge(apart, python_task(test), code).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("module", "name", "caught"),
    [
        ("builtins", "KeyError", "LookupError"),
        ("builtins", "ValueError", "ValueError"),
        ("builtins", "ZeroDivisionError", "ArithmeticError"),
        ("answer", "ValueError", "ValueError"),
        ("json.decoder", "JSONDecodeError", "json.JSONDecodeError"),
        ("", "TypeError", "TypeError"),
    ],
)
def test_a_class_of_the_same_name_is_not_caught(
    apart: PythonSession, module: str, name: str, caught: str
) -> None:
    code = NAMED_ALIKE.format(module=module, name=name)
    verdict = judge(apart, python_task(CATCH.format(caught)), code)
    assert verdict.judged is Judging.APART
    assert verdict.outcome is Outcome.FAILED, verdict


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonSession]:
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path_factory.mktemp("home")))
    yield harness.open()
    harness.close()


@pytest.fixture(scope="module")
def tasks(shared_data: Path) -> list[Task]:
    (suite,) = ADAPTERS["humaneval"](shared_data / "humaneval", None)
    apart = [task for task in suite.tasks if not task.together_because]
    brief = Limits(seconds=2, total_seconds=10, memory_mb=256)
    return [replace(task, limits=brief) for task in apart[::20]]


@pytest.mark.parametrize("does", DOES)
@pytest.mark.parametrize("value", VALUES)
def test_nothing_passes(session: PythonSession, tasks: list[Task], does: str, value: str) -> None:
    for task in tasks:
        code = OBJECT.format(does=DOES[does], entry=task.entry, value=VALUES[value])
        candidate = Candidate(CandidateKey("humaneval", task.id, "liar", "en", 0), code)
        (report,) = session.judge([Job(task, candidate, Program(code))])
        verdict = verdict_of(task, candidate, report)
        assert verdict.judged is Judging.APART
        assert verdict.outcome not in (Outcome.PASSED, Outcome.HARNESS_ERROR), verdict
