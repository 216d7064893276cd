"""What every soak shares: judge in two slots, watch what grows, compare with what was before."""

import argparse
import itertools
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "runner"), str(ROOT / "python-harness")]

from polyassay.harness import Harness, Job, RunSettings  # noqa: E402
from polyassay.junit.report import verdict_of  # noqa: E402
from polyassay.model import Candidate, CandidateKey, Program, Task  # noqa: E402
from polyassay.sandbox.bubblewrap import Bubblewrap  # noqa: E402

SLOTS = 2
FIRST = 100  # candidates before the first sample


def main(
    make: Callable[[RunSettings], Harness],
    tasks: Sequence[Task],
    answers: dict[str, str],  # what an answer does → the outcome that it must get
    count: int,
) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--candidates", type=int, default=count)
    parser.add_argument("--reuse", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polyassay-soak-") as folder:
        tempfile.tempdir = folder
        settings = RunSettings(Bubblewrap(), Path(folder, "home"), reuse=args.reuse)
        figures = soak(lambda: make(settings), tasks, answers, args.candidates)
    print(json.dumps(figures, indent=1))
    return 0 if figures["ok"] else 1


def soak(
    make: Callable[[], Harness], tasks: Sequence[Task], answers: dict[str, str], count: int
) -> dict[str, object]:
    before = state()
    work = itertools.islice(itertools.cycle(itertools.product(tasks, answers.items())), count)
    outcomes: Counter[str] = Counter()
    guests = 0.0
    samples: list[dict[str, float]] = []
    lock = threading.Lock()

    def slot() -> None:
        nonlocal guests
        harness = make()  # a slot has its own
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
                guests += report.cpu_seconds
                done = outcomes.total()
                if done == FIRST or done % max(count // 20, 1) == 0:
                    samples.append({"candidates": done, **state()})
                    samples[-1]["cpu_seconds"] = round(samples[-1]["cpu_seconds"] + guests, 1)
                    print(samples[-1], file=sys.stderr)
        session.close()
        harness.close()

    threads = [threading.Thread(target=slot) for _ in range(SLOTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = state()
    early, late = in_quarter(samples, 2), in_quarter(samples, 4)
    flat = late["rss_mb"] <= 1.1 * early["rss_mb"] and late["files"] <= early["files"] + 4
    cost = [cost_between(*pair) for pair in itertools.pairwise(samples)]
    clean = after["files"] <= before["files"] + 8 and after["processes"] == before["processes"]
    right = outcomes["right"] == count
    return {
        "candidates": count,
        "outcomes": dict(outcomes),
        "before": before,
        "second quarter": early,
        "last quarter": late,
        "after": after,
        "cpu_ms_each": cost,
        "ok": flat and clean and right and after["folders"] <= before["folders"] + 1,
    }


def in_quarter(samples: list[dict[str, float]], which: int) -> dict[str, float]:
    """The median of what may grow: each sample catches other candidates at work."""
    ends = len(samples) * (which - 1) // 4, len(samples) * which // 4
    part = samples[slice(*ends)] or samples
    return {name: median(sample[name] for sample in part) for name in ("rss_mb", "files")}


def cost_between(earlier: dict[str, float], later: dict[str, float]) -> float:
    """CPU milliseconds a candidate, of this process, its services and its guests' work.

    Guests' starts are left out: the time of a process that was killed in its sandbox is not told.
    """
    seconds = later["cpu_seconds"] - earlier["cpu_seconds"]
    return round(1000 * seconds / (later["candidates"] - earlier["candidates"]), 1)


def state() -> dict[str, float]:
    """Memory, open files, processes, folders and CPU time of this process and all below it."""
    own = psutil.Process()
    family = [own, *own.children(recursive=True)]
    memory = 0
    for process in family:
        try:
            memory += process.memory_full_info().pss
        except psutil.Error:
            continue
    services = [each for each in own.children() if "bwrap" not in each.name()]
    times = [each.cpu_times() for each in (own, *services)]
    return {
        "rss_mb": memory >> 20,
        "files": own.num_fds(),
        "processes": len(family),
        "folders": len(list(Path(tempfile.gettempdir()).iterdir())),
        "cpu_seconds": round(sum(each.user + each.system for each in times), 1),
    }
