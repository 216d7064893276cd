"""Python: good, wrong and harmful candidates in turn, apart and together, in two slots."""

import argparse
import itertools
import json
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "runner"), str(ROOT / "python-harness")]

from polyassay.harness import Job, Settings  # noqa: E402
from polyassay.harness.python import PythonHarness  # noqa: E402
from polyassay.junit_report import verdict_of  # noqa: E402
from polyassay.model import (  # noqa: E402
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Program,
    Style,
    Task,
    Test,
)
from polyassay.sandbox.bubblewrap import Bubblewrap  # noqa: E402

SLOTS = 2
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=20_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polyassay-soak-") as folder:
        tempfile.tempdir = folder
        harness = PythonHarness(Settings(Bubblewrap(), Path(folder)))
        figures = soak(harness, args.candidates)
    print(json.dumps(figures, indent=1))
    return 0 if figures["ok"] else 1


def soak(harness: PythonHarness, count: int) -> dict[str, object]:
    before = state()
    work = itertools.islice(itertools.cycle(itertools.product(tasks(), ANSWERS.items())), count)
    outcomes: Counter[str] = Counter()
    samples: list[dict[str, int]] = []
    lock = threading.Lock()

    def slot() -> None:
        session = harness.open()
        while True:
            with lock:
                item = next(work, None)
            if item is None:
                break
            task, (code, expected) = item
            candidate = Candidate(CandidateKey("soak", task.id, "tool", "en", 0), code)
            (report,) = session.judge([Job(task, candidate, Program(code))])
            found = verdict_of(task, candidate, report).outcome
            with lock:
                outcomes["right" if found == expected else f"{expected} was {found}"] += 1
                done = outcomes.total()
                if done % max(count // 20, 1) == 0:
                    samples.append({"candidates": done, **state()})
                    print(samples[-1], file=sys.stderr)
        session.close()

    threads = [threading.Thread(target=slot) for _ in range(SLOTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = state()
    early, late = samples[len(samples) // 4], samples[-1]
    flat = late["rss_mb"] <= 1.1 * early["rss_mb"] and late["files"] <= early["files"] + 4
    clean = after["files"] <= before["files"] + 8 and after["processes"] == before["processes"]
    right = outcomes["right"] == count
    return {
        "candidates": count,
        "outcomes": dict(outcomes),
        "before": before,
        "after a quarter": early,
        "at the end": late,
        "after": after,
        "ok": flat and clean and right and after["folders"] == before["folders"],
    }


def state() -> dict[str, int]:
    """Memory, open files, processes and folders of this process and all below it."""
    own = psutil.Process()
    family = [own, *own.children(recursive=True)]
    memory = 0
    for process in family:
        try:
            memory += process.memory_full_info().pss
        except psutil.Error:
            continue
    return {
        "rss_mb": memory >> 20,
        "files": own.num_fds(),
        "processes": len(family),
        "folders": len(list(Path(tempfile.gettempdir()).iterdir())),
    }


if __name__ == "__main__":
    sys.exit(main())
