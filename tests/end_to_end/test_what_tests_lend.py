"""What a judge lends to an answer does nothing there that the test did not mean.

A function that a test hands in stays with the judge. Of a library's function the worker has its
own: `eval` or `pickle.loads`, called in the judge's process, would do there what the answer says.
"""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Judging, Outcome

# Wherever it runs, what was expected is something else afterwards.
CHANGE = (
    "import gc\n"
    "for place in gc.get_objects():\n"
    "    if type(place) is dict and place.get('expected') == 77:\n"
    "        place['expected'] = 0\n"
)
PICKLED = (
    "import pickle\n"
    "class Odd:\n"
    f"    def __reduce__(self): return (exec, ({CHANGE!r},))\n"
    "def answer(lent, *rest):\n"
    "    lent(pickle.dumps(Odd()))\n"
    "    return 0\n"
)
FORCED = """
import json, os, struct
def send(message):
    data = json.dumps(message).encode()
    os.write(3, struct.pack(">I", len(data)) + data)
def answer(lent, *rest):
    send({"changed": [], "borrowed": 0, "args": ["t", [CHANGE]], "kwargs": ["t", []]})
    return 0
"""
PATH = "'{0.__globals__[expected]}'"
STEALS = "def answer(lent, x): return int({})\n"
TEST = "expected = 77\nassert answer({}) == expected"
ATTACKS = {
    "exec": ("exec, ''", f"def answer(lent, x):\n    lent({CHANGE!r})\n    return 0"),
    "eval": ("eval, '1'", f"def answer(lent, x):\n    lent({f'exec({CHANGE!r})'!r})\n    return 0"),
    "getattr": (
        "getattr, lambda: expected",
        "def answer(lent, f): return lent(f, '__globals__')['expected']",
    ),
    "import": (
        "__import__, 'math'",
        "def answer(lent, x):\n    lent('builtins').exec('expected = 0')\n    return 0",
    ),
    "loads": ("__import__('pickle').loads, b''", PICKLED),
    "a class": (
        "__import__('types').FunctionType",
        f"def answer(lent):\n    lent(compile({CHANGE!r}, '', 'exec'), {{}})()\n    return 0",
    ),
    "compile": (
        "compile, ''",
        f"def answer(lent, x):\n    exec(lent({CHANGE!r}, '', 'exec'))\n    return 0",
    ),
    "format": ("str.format, lambda: 1", STEALS.format(f"lent({PATH}, x)")),
    "format of a mapping": (
        "str.format_map, lambda: 1",
        STEALS.format(f"lent({PATH}, [x])"),
    ),
    "a formatter": (
        "__import__('string').Formatter().format, lambda: 1",
        STEALS.format(f"lent({PATH}, x)"),
    ),
    "a formatter's function": (
        "__import__('string').Formatter.format, lambda: 1",
        "import string\n" + STEALS.format(f"lent(string.Formatter(), {PATH}, x)"),
    ),
    "a bound format": (f"{PATH}.format, lambda: 1", STEALS.format("lent(x)")),
    "attributes": (
        "object.__getattribute__, lambda e=77: e",
        "def answer(lent, x): return lent(x, '__defaults__')[0]",
    ),
    "a class' attributes": (
        "type.__getattribute__, lambda e=77: e",
        "def answer(lent, x): return lent(type(x), '__name__')",
    ),
    "a change of attributes": (
        "object.__setattr__, lambda: 1",
        "def answer(lent, x):\n    lent(x, '__code__', (lambda: 0).__code__)\n    return 0",
    ),
    "a partial eval": (
        "__import__('functools').partial(eval), 1",
        f"def answer(lent, x):\n    lent({f'exec({CHANGE!r})'!r})\n    return 0",
    ),
    "a partial getattr": (
        "__import__('functools').partial(getattr), lambda e=77: e",
        "def answer(lent, x): return lent(x, '__defaults__')[0]",
    ),
    "a forged call": ("exec, ''", FORCED.replace("CHANGE", repr(CHANGE))),
}
HONEST = {
    "built-in": ("answer(len, [1, 2]) == 2", "def answer(f, x): return f(x)"),
    "a class": ("answer(str, 5) == '5'", "def answer(f, x): return f(x)"),
    "of a library": (
        "answer(__import__('math').sqrt, 4) == 2",
        "def answer(f, x): return f(x)",
    ),
    "written in Python": (
        "answer(__import__('textwrap').dedent, ' x') == 'x'",
        "def answer(f, x): return f(x)",
    ),
    "a method": ("answer(str.upper, 'a') == 'A'", "def answer(f, x): return f(x)"),
    "the test's own": ("answer(lambda x: x + 1, 1) == 2", "def answer(f, x): return f(x)"),
    "a method of plain data": (
        "answer('{}!'.format, 'a') == 'a!'",
        "def answer(f, x): return f(x)",
    ),
    "a method of a class": (
        "answer(dict.fromkeys, 'a') == {'a': None}",
        "def answer(f, x): return f(x)",
    ),
    "a partial call": (
        "answer(__import__('functools').partial(pow, 2), 3) == 8",
        "def answer(f, x): return f(x)",
    ),
    "a partial call of the test's own": (
        "answer(__import__('functools').partial(lambda x, y: x + y, 2), 3) == 5",
        "def answer(f, x): return f(x)",
    ),
    "a list's method": (
        "answer([].append, 1) is None",
        "def answer(f, x): return f(x)",
    ),
    "it comes back": ("answer(len) is len", "def answer(f): return f"),
    "its name": ("answer(sorted) == 'sorted'", "def answer(f): return f.__name__"),
    "an exception's class": (
        "answer(__import__('json').JSONDecodeError)",
        "import json\ndef answer(kind):\n    try: json.loads('x')\n    except kind: return True",
    ),
    "a container's class": (
        "answer(__import__('collections').Counter, 'aab') == {'a': 2, 'b': 1}",
        "def answer(f, x): return f(x)",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_done_to_the_judge(apart: PythonSession, attack: str) -> None:
    arguments, code = ATTACKS[attack]
    verdict = judge(apart, python_task(TEST.format(arguments)), code)
    assert verdict.judged is Judging.APART
    assert verdict.outcome in (Outcome.FAILED, Outcome.CRASHED), verdict


@pytest.mark.parametrize("use", HONEST)
def test_what_is_handed_in_can_be_used(apart: PythonSession, use: str) -> None:
    test, code = HONEST[use]
    verdict = judge(apart, python_task(f"assert {test}"), code)
    assert verdict.outcome is Outcome.PASSED, verdict
