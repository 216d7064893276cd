"""Python: good, wrong and harmful candidates in turn, apart and together, in two slots."""

import sys

from _common import main

from polyassay.harness.python.harness import PythonHarness
from polyassay.model import Language, Limits, Style, Task, Test

# What an answer does, and the outcome that it must get.
ANSWERS = {
    "def twice(x):\n    return 2 * x\n": "passed",
    "def twice(x):\n    return x\n": "failed",
    "def twice(x):\n    return [2 * x][1]\n": "failed",
    "def twice(x:\n": "unbuilt",
    "import os\ndef twice(x):\n    os._exit(0)\n": "crashed",
    "import os\ndef twice(x):\n    if os.fork() == 0:\n        os.setsid()\n        while True: "
    "os.read(os.pipe()[0], 1)\n    return 2 * x\n": "passed",
    "def twice(x):\n    open('left', 'w').write('x' * 100000)\n    return 2 * x\n": "passed",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    "def twice(x):\n    return 2 * x\n": "passed",
    "def twice(x):\n    return bytearray(1 << 30)\n": "out_of_memory",
}


def tasks() -> list[Task]:
    """One task with one test and one with three, each judged apart and together."""
    codes = (
        "assert twice(2) == 4",
        "assert twice(0) == 0 and twice(3) == 6",
        "assert twice(1) == 2",
    )
    return [
        Task(
            id=f"twice-{count}-{why or 'apart'}",
            suite="soak",
            language=Language.PYTHON,
            style=Style.FUNCTION,
            prompts={"en": "Double it."},
            tests=tuple(Test(f"test_{i}", codes[i]) for i in range(count)),
            entry="twice",
            limits=Limits(5, 20, 256),
            together_because=why,
        )
        for count in (1, 3)
        for why in ("", "to try it")
    ]


if __name__ == "__main__":
    sys.exit(main(PythonHarness, tasks(), ANSWERS, 20_000))
