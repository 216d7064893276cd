"""Class tasks judged apart: an object's word counts only in the comparison that is about it."""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Judging, Outcome, Style, Verdict

LIAR = """
class Money:
    def __init__(self, n=0): self.n = n
    def __eq__(self, other): return True
    __ne__ = lambda self, other: False
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __hash__(self): return 0
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __iter__(self): return iter(())
    def __len__(self): return 1
    def itself(self, *a): return self
    doubled = added = clone = itself
    @property
    def half(self): return self
    def __getitem__(self, key): return self
    def __add__(self, other): return self
    def __neg__(self): return self
    def __call__(self): return self
    def __enter__(self): return self
    def __exit__(self, *a): return True
    def fails(self, *a): raise ValueError("no")
    each = fails
class Receipt(Money): pass
def total(*a): return Money()
"""
# Each begins with what makes the test mean the class' own word somewhere.
FORGED = {
    "method": "m = Money(5)\nassert m == 5\nassert m.doubled() == 10",
    "property": "m = Money(5)\nassert m == 5\nassert m.half == 2",
    "item": "m = Money(5)\nassert m == 5\nassert m[0] == 7",
    "kept": "m = Money(5)\nassert m == 5\nx = m.doubled()\nassert x == 10",
    "same name": "m = Money(5)\nassert m == 5\nm = m.doubled()\nassert m == 10",
    "contains": "m = Money(5)\nassert 5 in m\nassert 10 in m.doubled()",
    "subtraction": "m = Money(5)\nassert abs(m - 5) < 1\nassert abs(m.doubled() - 10) < 1",
    "in a list": "m = Money(5)\nassert m == 5\nassert [m.doubled()] == [10]",
    "chain": "m = Money(5)\nassert m == 5\nassert 9 < m.doubled() < 11",
    "unary": "m = Money(5)\nassert m == 5\nassert -m == -5",
    "called": "m = Money(5)\nassert m == 5\nassert m() == 5",
    "copy": "import copy\nm = Money(5)\nassert m == 5\nassert copy.copy(m) == 5",
    "not equal": "m = Money(5)\nassert m == 5\nassert not (m.doubled() != 10)",
    "asked by name": "m = Money(5)\nassert m == 5\nassert m.doubled().__eq__(10)",
    "asked by name of a class' object": "m = Money(5)\nassert Receipt(m).__eq__(30)",
    "asked by name after its own": "m = Money(5)\nassert m.__eq__(5)\nassert m.half.__eq__(2)",
    "asked by name what it contains": "assert Money(5).doubled().__contains__(10)",
    "asked by name of what differs": "assert not Money(5).doubled().__ne__(10)",
    "asked by name through an attribute": "x = Money(5).doubled()\neq = x.__eq__\nassert eq(10)",
    "asked by name for its order": "assert Money(5).doubled().__lt__(11)",
    "asked by a library": "import operator\nassert operator.eq(Money(5).doubled(), 10)",
    "a key": "m = Money(5)\nassert {m.doubled(): 1}[10] == 1",
    "set": "m = Money(5)\nassert not {10} - {m.doubled()}",
    "where it is": "m = Money(5)\nassert [m.doubled()].index(10) == 0",
    "matched": "ok = 0\nmatch Money(5).doubled():\n    case 10: ok = 1\nassert ok",
    "another function": "m = Money(5)\nassert m == 5\nassert total(m) == 30",
    "another class": "m = Money(5)\nassert m == 5\nassert Receipt(m) == 30",
    "what another function contains": "assert 30 in total(Money(5))",
    "distance from another function": "assert abs(total(Money(5)) - 30) < 1e-6",
    "order of another function": "assert 29 < total(Money(5)) < 31",
}
SWALLOWED = {
    "loop": "with Money() as m:\n    for i in range(3):\n        assert i >= 0\n        m.fails()",
    "later": "with Money() as m:\n    m.fails()\n    assert False is True",
    "helper": (
        "def check(value):\n    assert value == 1\nwith Money() as m:\n    check(m.fails())"
    ),
    "helper of the suite": "with Money() as m:\n    holds(m.fails())",
    "while": "with Money() as m:\n    while True:\n        assert True\n        m.fails()",
    "nested": "with Money() as m:\n    if m.fails():\n        assert 1 == 1",
    "never": "for one in Money():\n    assert one == 1",
    "unittest": (
        "import unittest\ncase = unittest.TestCase()\n"
        "with Money() as m:\n    case.assertEqual(m.fails(), 5)"
    ),
    "a method that checks": (
        "class Check:\n    def one(self, value):\n        assert value == 1\n"
        "check = Check()\nassert check\nwith Money() as m:\n    check.one(m.fails())"
    ),
    "a lambda that checks": (
        "check = lambda value: holds(value)\nassert check\nwith Money() as m:\n    check(m.fails())"
    ),
    "handed in": "assert holds\nwith Money() as m:\n    m.each(holds)",
    "kept for later": "ok = 1\nwith Money() as m:\n    ok = m.fails()\nassert ok == 1",
    "a flag": (
        "ok = True\nwith Money() as m:\n    if m.fails() != 5:\n        ok = False\nassert ok"
    ),
    "a list of errors": (
        "bad = []\nwith Money() as m:\n    bad += [1] if m.fails() != 5 else []\nassert not bad"
    ),
    "the test raises": (
        "with Money() as m:\n    if m.n != 5:\n        raise ValueError('wrong')\nassert m"
    ),
    "conditional raise": (
        "with Money() as m:\n    for i in (1, 2):\n        if i == 1:\n"
        "            raise ValueError\n        assert i == 3"
    ),
}
HONEST = """
class Money:
    def __init__(self, n=0): self.n, self.closed = n, False
    def __eq__(self, other):
        return self.n == (other.n if isinstance(other, Money) else other)
    def __hash__(self): return hash(self.n)
    def __lt__(self, other): return self.n < other
    def __gt__(self, other): return self.n > other
    def __contains__(self, n): return n <= self.n
    def __sub__(self, n): return self.n - n
    def __iter__(self): return iter(range(self.n))
    def add(self, n):
        self.n += n
        return self
    def __enter__(self): return self
    def __exit__(self, kind, *a):
        self.closed = True
        return kind is ValueError
"""
RIGHT = {
    "equality": "m = Money(5)\nassert m == 5\nassert 5 == m\nassert m != 6",
    "by name": "m = Money(5)\nassert m.__eq__(5)\nassert not m.__eq__(6)\nassert m.__ne__(6)",
    "by name of another": "assert Money(5).__eq__(Money(5))\nassert not Money(5).__eq__(Money(4))",
    "by name what it contains": "m = Money(5)\nassert m.__contains__(3)",
    "by name its order": "m = Money(5)\nassert m.__lt__(6) and not m.__gt__(6)",
    "by name what it cannot say": "assert Money(5).__le__('x') is NotImplemented",
    "fluent": "m = Money(1)\nassert m.add(1).add(1) is m\nassert m == 3",
    "fluent is not": "m = Money(1)\nassert m.add(1) is not Money(1)",
    "chain": "m = Money(5)\nassert 4 < m < 6",
    "contains": "m = Money(5)\nassert 3 in m and 9 not in m",
    "difference": "m = Money(5)\nassert m - 2 == 3\nassert abs(m - 7) < 3",
    "iterates": "m = Money(3)\nassert list(m) == [0, 1, 2]\nassert [*iter(m)] == [0, 1, 2]",
    "alias": "m = Money(5)\nx = m\nassert x == 5",
    "suppresses": (
        "with Money() as m:\n    assert not m.closed\n    raise ValueError\nassert m.closed"
    ),
    "suppresses its own": "with Money() as m:\n    int('x')\nassert m.closed",
    "suppresses what is never kept": "with Money() as m:\n    x = int('x')\nassert m.closed",
    "no assertion": "m = Money(5)\nm.add(1)",
    "must raise": "try:\n    Money().no()\n    assert False\nexcept AttributeError:\n    pass",
}
SETUP = "def holds(value):\n    assert value == 1\n"


def on_money(session: PythonSession, code: str, *tests: str, build: bool = False) -> Verdict:
    task = python_task(
        *tests, style=Style.CLASS, entry="Money", setup=SETUP, tests_build_on_each_other=build
    )
    return judge(session, task, code)


@pytest.mark.parametrize("test", FORGED)
def test_what_a_method_returns_is_not_believed(session: PythonSession, test: str) -> None:
    verdict = on_money(session, LIAR, FORGED[test])
    if verdict.judged is Judging.APART:  # together is not proof against forgery
        assert verdict.outcome is Outcome.FAILED, verdict


@pytest.mark.parametrize("test", SWALLOWED)
def test_an_assertion_cannot_be_skipped(session: PythonSession, test: str) -> None:
    verdict = on_money(session, LIAR, SWALLOWED[test])
    if verdict.judged is Judging.APART or test == "never":
        assert verdict.outcome is Outcome.FAILED, verdict


@pytest.mark.parametrize("test", RIGHT)
def test_an_honest_class_passes_in_both_ways(session: PythonSession, test: str) -> None:
    verdict = on_money(session, HONEST, RIGHT[test])
    assert verdict.outcome is Outcome.PASSED, verdict


def test_tests_that_build_on_each_other_share_their_variables(session: PythonSession) -> None:
    tests = [
        "m = Money(1)",
        "assert m == 1\nm.add(1)",
        "assert m == 2",
        "other = m",
        "m = Money(7)",
    ]
    tests += ["assert other == 2 and m == 7"]
    verdict = on_money(session, HONEST, *tests, build=True)
    assert verdict.outcome is Outcome.PASSED, verdict


def test_one_that_fails_is_not_forgotten_by_the_next(session: PythonSession) -> None:
    tests = ["m = Money(1)", "assert m == 2", "assert m == 1"]
    verdict = on_money(session, HONEST, *tests, build=True)
    assert [test.status for test in verdict.tests] == ["passed", "failed", "passed"]
