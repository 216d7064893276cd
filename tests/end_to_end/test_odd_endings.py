"""However an answer ends, raises or looks, it has failed; what comes after it is judged alike."""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Limits, Outcome

BRIEF = Limits(seconds=2, total_seconds=8, memory_mb=128)
OWN_ERROR = "class E({}):\n    {}\ndef answer(n): raise E('x')\n"
SENDS = "import os, struct\ndef answer(n):\n    {}\n    return 1\n"
ENDS = {
    "raises": {
        "text that raises": OWN_ERROR.format(
            "BaseException", "def __str__(self): raise SystemExit"
        ),
        "text that is none": OWN_ERROR.format("Exception", "def __str__(self): return 5"),
        "text of halves": OWN_ERROR.format("Exception", r"def __str__(self): return '\ud800\x00'"),
        "a class of halves": "def answer(n): raise type('\\ud800\\n<]]>', (Exception,), {})(n)\n",
        "long text": "def answer(n): raise ValueError('x' * 30_000_000)\n",
        "a long number": "def answer(n): raise ValueError(10 ** 5000)\n",
        "a chain": (
            "def answer(n):\n    error = ValueError()\n    for _ in range(5000):\n"
            "        after = ValueError()\n        after.__cause__ = error\n        error = after\n"
            "    raise error\n"
        ),
        "a circle": (
            "def answer(n):\n    one, two = ValueError(), KeyError()\n"
            "    one.__cause__, two.__cause__ = two, one\n    raise one\n"
        ),
        "a group": "def answer(n): raise BaseExceptionGroup('x', [KeyboardInterrupt()])\n",
        "a place that is none": (
            "def answer(n):\n    error = SyntaxError(5)\n    error.filename = 'answer.py'\n"
            "    error.lineno, error.msg = 'x', None\n    raise error\n"
        ),
        "notes that are none": (
            "def answer(n):\n    e = ValueError()\n    e.__notes__ = 5\n    raise e\n"
        ),
        "a closing": "def answer(n): raise GeneratorExit\n",
        "an end of items": "def answer(n): raise StopAsyncIteration\n",
        "while it loads": "raise type('E', (BaseException,), {'__str__': lambda self: 5})\n",
    },
    "ends": {
        **{
            f"with {code}": f"import os\ndef answer(n): os._exit({code})\n"
            for code in (0, 1, 3, 24, 112, 113, 114, 120, 255)
        },
        **{f"with {code} at once": f"import os\nos._exit({code})\n" for code in (0, 112, 113, 114)},
        **{
            f"by signal {number}": f"import os\ndef answer(n): os.kill(os.getpid(), {number})\n"
            for number in (2, 6, 9, 11, 15, 19, 24, 31, 40)
        },
        "by everything": "import os\ndef answer(n): os.kill(-1, 9)\n",
        "by its parent": (
            "import os\ndef answer(n):\n    os.kill(os.getppid(), 9)\n    os.kill(1, 11)\n"
        ),
        "in a fork": "import os\ndef answer(n):\n    if os.fork(): os._exit(0)\n    return 1\n",
        "by an exit hook": (
            "import atexit, os\natexit.register(os._exit, 0)\ndef answer(n): return 1\n"
        ),
        "by an object": "import sys\ndef answer(n): sys.exit(object())\n",
    },
    "takes away": {
        "all descriptors": SENDS.format("os.closerange(0, 1000)"),
        "all descriptors at once": "import os\nos.closerange(0, 1000)\ndef answer(n): return 1\n",
        "the channel": SENDS.format("os.close(3)"),
        "the channel's end": SENDS.format("__import__('socket').socket(fileno=3).shutdown(2)"),
        "the channel for another": SENDS.format("os.dup2(1, 3)"),
        "built-ins": "import builtins\ndef answer(n):\n    vars(builtins).clear()\n    return 1\n",
        "modules": "import sys\ndef answer(n):\n    sys.modules.clear()\n    return 1\n",
        "limits": (
            "import resource\nfor kind in range(16):\n"
            "    try: resource.setrlimit(kind, (0, 0))\n    except Exception: pass\n"
            "def answer(n): return 1\n"
        ),
        "its folder": (
            "import os, shutil\ndef answer(n):\n    shutil.rmtree(os.getcwd())\n    return 1\n"
        ),
        "its folder's place": (
            "import os\nos.rename('/scratch/work', '/scratch/w')\n"
            "os.symlink('/proc/self', '/scratch/work')\ndef answer(n): return 1\n"
        ),
        "our functions": (
            "import gc, types\nfor one in gc.get_objects():\n"
            "    if isinstance(one, types.FunctionType) and 'polyassay' in str(one.__module__):\n"
            "        one.__globals__.clear()\ndef answer(n): return 1\n"
        ),
    },
    "sends": {
        "a part": SENDS.format("os.write(3, struct.pack('>I', 100) + b'{'); os._exit(0)"),
        "more than fits": SENDS.format("os.write(3, struct.pack('>I', 60 << 20)); os._exit(0)"),
        "no end": SENDS.format("os.write(3, struct.pack('>I', 1 << 31) + bytes(99))"),
        "no text": SENDS.format("os.write(3, struct.pack('>I', 4) + bytes(range(252, 256)))"),
        "a number": SENDS.format("os.write(3, struct.pack('>I', 6) + b'1e9999')"),
    },
    "gives": {
        "a long number": "def answer(n): return 10 ** 5000\n",
        "no number": "def answer(n): return [float('nan'), float('1e9999')]\n",
        "halves": "def answer(n): return {'\\ud800': '\\udfff'}\n",
        "depth": "def answer(n):\n    x = []\n    for _ in range(10**5): x = [x]\n    return x\n",
        "a circle": "def answer(n):\n    x = {}\n    x['x'] = x\n    return x\n",
        "a name of halves": "def answer(n): return type('\\ud800' * 5000, (), {})()\n",
        "a long repr": (
            "class X:\n    def __repr__(self): return 'x' * 50_000_000\ndef answer(n): return X()\n"
        ),
        "odd fields": (
            "from collections import namedtuple\nT = namedtuple('T', 'a b')\n"
            "T._fields, T.__name__ = ('x', 5, object()), 'class'\ndef answer(n): return T(1, 2)\n"
        ),
        "a frame": "import sys\ndef answer(n): return sys._getframe()\n",
        "no wrapper": (
            "import collections\ndef answer(n):\n    c = collections.ChainMap()\n"
            "    c.maps = 5\n    return c\n"
        ),
    },
    "is written": {
        "in an unknown coding": "# coding: nowhere\ndef answer(n): return 1\n",
        "in halves": "x = '\ud800'\ndef answer(n): return 1\n",
        "with a null": "def answer(n): return 1\n\x00",
        "deeply": f"x = {'(' * 5000}{')' * 5000}\ndef answer(n): return 1\n",
        "with many signs": f"x = {'-' * 100_000}1\ndef answer(n): return 1\n",
        "with too large a number": "x = 10 ** 10 ** 8\ndef answer(n): return 1\n",
    },
}
CASES = [(kind, what) for kind, variants in ENDS.items() for what in variants]


@pytest.mark.parametrize(("kind", "what"), CASES)
def test_no_way_out(session: PythonSession, kind: str, what: str) -> None:
    task = python_task("assert answer(1) == 5", limits=BRIEF)
    verdict = judge(session, task, ENDS[kind][what], again=True)
    out = (Outcome.PASSED, Outcome.HARNESS_ERROR, Outcome.NOT_RUNNABLE)
    assert verdict.outcome not in out, verdict
    after = judge(session, task, "def answer(n): return 5\n", again=True)
    assert after.outcome is Outcome.PASSED, after
