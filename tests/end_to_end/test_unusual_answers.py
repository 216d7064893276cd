"""Right answers that do it in an unusual way pass, judged apart and together alike."""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Limits, Outcome, Style, Test

ENUM = "from enum import Enum, IntEnum\nclass Kind({}): RED = {}\ndef answer(): return Kind.RED\n"
LIST = "class Own(list):\n    def first(self): return self[0]\ndef answer(): return Own([1, 2])\n"
PAIR = (
    "from typing import NamedTuple\nclass Pair(NamedTuple):\n    x: int\n    y: int = 5\n"
    "    def total(self): return self.x + self.y\ndef answer(x): return Pair(x)\n"
)
NOTED = "def answer():\n    error = ValueError('x')\n    error.add_note('why')\n    raise error\n"
DURING = "def answer():\n    try: 1 / 0\n    except ZeroDivisionError: raise ValueError('x'){}\n"
DEEP = "def answer(n): return 0 if n == 0 else 1 + answer(n - 1)\n"
GROWS = (
    "def answer(n):\n    seen = []\n"
    "    for i in range(n):\n        seen.append(i)\n        yield seen\n"
)
CAUGHT = "try: answer()\nexcept ValueError as error: assert {}\nelse: assert False"
# What is done, the answer, and the assertion about it.
FUNCTIONS = {
    "an enum of texts": (ENUM.format("str, Enum", "'red'"), "answer() == 'red'"),
    "its value": (ENUM.format("str, Enum", "'red'"), "answer().value == 'red'"),
    "an enum of numbers": (ENUM.format("IntEnum", "3"), "answer() == 3 and answer() + 1 == 4"),
    "its name": (ENUM.format("IntEnum", "3"), "answer().name == 'RED'"),
    "as text": (ENUM.format("str, Enum", "'red'"), "str(answer()) == 'Kind.RED'"),
    "a list with a method": (LIST, "answer() == [1, 2] and answer().first() == 1"),
    "a named tuple with a method": (PAIR, "answer(1) == (1, 5) and answer(1).total() == 6"),
    "a dict that fills in": (
        "class Own(dict):\n    def __missing__(self, key): return key * 2\n"
        "def answer(): return Own(a=1)\n",
        "answer() == {'a': 1} and answer()[4] == 8",
    ),
    "a dict with its keys as attributes": (
        "class Own(dict):\n    def __getattr__(self, name): return self[name]\n"
        "def answer(): return Own(a=1)\n",
        "answer() == {'a': 1} and answer().a == 1",
    ),
    "a default that is computed": (
        "from collections import defaultdict\ndef answer(): return defaultdict(lambda: 7, a=1)\n",
        "answer() == {'a': 1} and answer()['z'] == 7",
    ),
    "defaults of defaults": (
        "from collections import defaultdict\n"
        "def tree(): return defaultdict(tree)\nanswer = tree\n",
        "answer()['a']['b'] == {}",
    ),
    "parameters with our names": (
        "def answer(self, on, do, name=0, link=0): return [self, on, do, name, link]\n",
        "answer(self=1, on=2, do=3, name=4, link=5) == [1, 2, 3, 4, 5]",
    ),
    "a list that a generator changes": (GROWS, "[len(x) for x in answer(90)] == [*range(1, 91)]"),
    "as deep as Python goes": (DEEP, "answer(985) == 985"),
    "a note on an error": (NOTED, CAUGHT.format("error.__notes__ == ['why']")),
    "an error during another": (
        DURING.format(""),
        CAUGHT.format("isinstance(error.__context__, ZeroDivisionError)"),
    ),
    "an error from nothing": (
        DURING.format(" from None"),
        CAUGHT.format("error.__cause__ is None and error.__suppress_context__"),
    ),
    "a file that is not there": (
        "def answer(): return open('/no/such/file')\n",
        "try: answer()\nexcept OSError as error:\n"
        "    assert error.errno == 2 and error.filename == '/no/such/file'\nelse: assert False",
    ),
    "two files": (
        "import os\ndef answer(): os.rename('/no/such', '/no/other')\n",
        "try: answer()\nexcept OSError as error: assert error.filename2 == '/no/other'\n"
        "else: assert False",
    ),
    "a module that is not there": (
        "def answer(): import no_such_module\n",
        "try: answer()\nexcept ImportError as error: assert error.name == 'no_such_module'\n"
        "else: assert False",
    ),
    "a name that is not there": (
        "def answer(): return no_such_name\n",
        "try: answer()\nexcept NameError as error: assert error.name == 'no_such_name'\n"
        "else: assert False",
    ),
    "sets of its own": (
        "class Span:\n    def __init__(self, *of): self.of = set(of)\n"
        "    def intersection(self, other): return Span(*(self.of & other.of))\n"
        "    def issubset(self, other): return self.of <= other.of\n"
        "def answer(*of): return Span(*of)\n",
        "answer(1, 2).intersection(answer(2, 3)).of == {2} and answer(1).issubset(answer(1, 2))",
    ),
    "a function of a library": (
        "def answer(f, *args): return f(*args)\n",
        "answer(str.upper, 'a') == 'A' and answer('{}!'.format, 'x') == 'x!'",
    ),
    "a partial call": (
        "def answer(f, *args): return f(*args)\n",
        "answer(__import__('functools').partial(pow, 2), 3) == 8",
    ),
    "a partial call of the test's": (
        "def answer(f, *args): return f(*args)\n",
        "answer(__import__('functools').partial(lambda x, y: x + y, 2), 3) == 5",
    ),
}
STATUS = (
    "from enum import Enum, IntEnum\nclass Status(str, Enum):\n    NEW = 'new'\n    OLD = 'old'\n"
    "class Rank(IntEnum):\n    LOW = 1\n    HIGH = 2\n"
    "from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\n"
    "class Thing:\n    def __init__(self, on=1):\n"
    "        self.status, self.rank, self.place = Status.NEW, Rank(on), Point(1, 2)\n"
)
CLASSES = {
    "status as text": "Thing().status == 'new' and Thing().status in ('new', 'x')",
    "status as a member": "Thing().status == Status.NEW and Thing().status is Status.NEW",
    "another member": "Thing().status is not Status.OLD and Thing().status != Status.OLD",
    "status as a key": "{Status.NEW: 1}[Thing().status] == 1",
    "its class": "isinstance(Thing().status, Status)",
    "rank as a number": "Thing().rank == 1 and Thing().rank < Rank.HIGH",
    "rank by name": "Thing(2).rank.name == 'HIGH'",
    "place": "Thing().place == (1, 2) and Thing().place.x == 1",
    "a parameter with our name": "Thing(on=2).rank is Rank.HIGH",
}
PROGRAMS = {
    "closes its output": ("import sys\nprint(7)\nsys.stdout.close()\n", "7"),
    "never closes a file": ("out = open(1, 'w', closefd=False)\nout.write('7')\n", "7"),
    "writes to the old output": (
        "import io, sys\nsys.stdout = io.StringIO()\nprint(7)\n"
        "sys.__stdout__.write(sys.stdout.getvalue())\n",
        "7",
    ),
    "has a finalizer": (
        "class Last:\n    def __del__(self): print('bye')\nlast = Last()\nprint('hi')\n",
        "hi\nbye",
    ),
    "leaves a generator open": (
        "def items():\n    try: yield 1\n    finally: print('closed')\n"
        "it = items()\nnext(it)\nprint('end')\n",
        "end\nclosed",
    ),
    "reads itself": ("print(open(__file__).read().count('open'))\n", "2"),
    "recurses": (DEEP + "print(answer(985))\n", "985"),
    "spawns": (
        "import multiprocessing\ndef square(x): return x * x\nif __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(square, [3]))\n",
        "[9]",
    ),
}


@pytest.mark.parametrize("what", FUNCTIONS)
def test_a_function(session: PythonSession, what: str) -> None:
    code, claim = FUNCTIONS[what]
    test = claim if claim.startswith("try") else f"assert {claim}"
    verdict = judge(session, python_task(test), code)
    assert verdict.outcome is Outcome.PASSED, verdict


@pytest.mark.parametrize("what", CLASSES)
def test_a_class(session: PythonSession, what: str) -> None:
    task = python_task(f"assert {CLASSES[what]}", style=Style.CLASS, entry="Thing")
    verdict = judge(session, task, STATUS)
    assert verdict.outcome is Outcome.PASSED, verdict


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_program(apart: PythonSession, what: str) -> None:
    code, printed = PROGRAMS[what]
    limits = Limits(seconds=20, total_seconds=60, memory_mb=512)
    task = python_task("", style=Style.PROGRAM, entry="", limits=limits)
    object.__setattr__(task, "tests", (Test("t0", stdin="", stdout=printed + "\n"),))
    verdict = judge(apart, task, code)
    assert verdict.outcome is Outcome.PASSED, verdict
