"""A run in which one candidate in ten is hostile: nobody else's verdict may change by it.

tools/soak mixed FILE [--candidates 10000] [--hostile-every 10] [--jobs 2]
                      [--sandbox bubblewrap] [--minutes N]

FILE has the format of tools/hostile. Its honest records are run by themselves first; then come all
candidates in one run, the honest ones as samples of two tools, which answer right and wrong.
Records that may take all of their time come once each, lest it never ends.
A hostile candidate costs up to its limit of CPU time, so --hostile-every 50 makes a shorter run.
After --minutes the run is interrupted, and what it has judged by then is looked at.
"""

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hostility.records import Record, answer_line, load, native_task
from hostility.surroundings import Surroundings
from hostility.trial import polyassay, wrong

Row = dict[str, Any]
Key = tuple[str, str, int]  # task, tool, sample


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--candidates", type=int, default=10_000)
    parser.add_argument("--hostile-every", type=int, default=10, metavar="N")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--minutes", type=float)
    arguments = parser.parse_args()
    records = load(arguments.file)
    with tempfile.TemporaryDirectory(prefix="polyassay-mixed-") as folder:
        figures = mix(records, Path(folder), arguments)
    print(json.dumps(figures, indent=1))
    return 0 if figures["ok"] else 1


def mix(records: list[Record], folder: Path, arguments: argparse.Namespace) -> Row:
    around = Surroundings(folder)
    stage = Stage(
        folder, records, around, ["-j", str(arguments.jobs), "--sandbox", arguments.sandbox]
    )
    honest = [record for record in records if record.honest]
    alone, _ = stage.run([(record, 0) for record in honest])
    before = stage.left_behind()
    order = list(mixture(records, arguments.candidates, arguments.hostile_every))
    together, watched = stage.run(order, arguments.minutes and 60 * arguments.minutes)
    after = stage.left_behind()
    around.close()
    if arguments.minutes:
        order = [each for each in order if key(*each) in together]
    wrongs = [
        f"{record.id}/{sample}: {problem}"
        for record, sample in order
        for problem in problems(record, together.get(key(record, sample), {}), alone)
    ]
    # Tasks come in groups, Python's first; the second half has the same processes throughout.
    quarter = len(watched) // 4
    if not quarter:
        raise SystemExit("too short a run to see whether anything grows")
    early, late = map(medians, (watched[2 * quarter : 3 * quarter], watched[3 * quarter :]))
    return {
        "candidates": len(order),
        "hostile": sum(not record.honest for record, _ in order),
        "verdicts": len(together),
        "wrong": wrongs[:20],
        "medians of the third quarter": early,
        "of the last": late,
        "left behind": sorted(set(after) - set(before)),
        "ok": not wrongs
        and len(together) == len(order)
        and all(late[name] <= 1.25 * early[name] for name in early)
        and set(after) <= set(before),
    }


def mixture(records: list[Record], count: int, every: int) -> Iterator[tuple[Record, int]]:
    honest = itertools.cycle(record for record in records if record.honest)
    hostile = [record for record in records if not record.honest]
    quick = [record for record in hostile if "timeout" not in record.expect["accept"]]
    bad = itertools.chain(hostile if count >= every * len(hostile) else [], itertools.cycle(quick))
    samples: dict[str, int] = {}
    for number in range(count):
        record = next(bad if number % every == every - 1 else honest)
        samples[record.id] = samples.get(record.id, -1) + 1
        yield record, samples[record.id]


def medians(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: median(row[name] for row in rows) for name in rows[0]}


def tool(record: Record) -> str:
    """An honest tool answers several tasks, so that worker JVMs serve several candidates."""
    return record.id.removeprefix(record.task["id"] + "-") if record.honest else record.id


def key(record: Record, sample: int) -> Key:
    return record.task["id"], tool(record), sample


def problems(record: Record, row: Row, alone: dict[Key, Row]) -> list[str]:
    """What is wrong with a verdict; an honest candidate has the one that it had alone."""
    found = wrong(record, row)
    if record.honest and row:
        seen, then = ([row[0], *row[1]] for row in map(_shape, (row, alone[key(record, 0)])))
        if seen != then:
            found.append(f"{seen} was {then} alone")
    return found


def _shape(row: Row) -> tuple[str, list[tuple[str, str]]]:
    return row["outcome"], [(test["name"], test["status"]) for test in row["tests"]]


class Stage:
    """A working folder with the suite in it."""

    def __init__(
        self, folder: Path, records: list[Record], around: Surroundings, options: list[str]
    ) -> None:
        self._folder, self._around, self._options = folder, around, options
        self._started: set[int] = set()  # processes below us, now or before
        (folder / "tmp").mkdir()
        tasks = {record.task["id"]: native_task(record.task) for record in records}
        suite = "".join(json.dumps(task) + "\n" for task in tasks.values())
        (folder / "suite.jsonl").write_text(suite)
        self._call("suites", "add", "native", "--from", "suite.jsonl", "--as", "h")

    def run(
        self, order: list[tuple[Record, int]], seconds: float | None = None
    ) -> tuple[dict[Key, Row], list[dict[str, float]]]:
        """The verdicts, and what the run and all below it have, every few seconds."""
        self._around.reset()
        places = self._around.places()
        with (self._folder / "answers.jsonl").open("w") as lines:
            for record, sample in order:
                lines.write(answer_line(record, sample, record.answer(places), tool(record)))
        watched: list[dict[str, float]] = []
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(watched, done))
        watch.start()
        self._call("run", "-s", "h", "-c", "answers.jsonl", *self._options, seconds=seconds)
        done.set()
        watch.join()
        rows = map(json.loads, self._call("verdicts", "latest", "--json").splitlines())
        return {(row["task"], row["tool"], row["sample"]): row for row in rows}, watched

    def left_behind(self) -> list[str]:
        """Processes below us, mounts, control groups of ours, and folders of temporary files."""
        children = [f"process {p.name()}" for p in psutil.Process().children(recursive=True)]
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
        groups = [
            str(path)
            for path in Path("/sys/fs/cgroup").rglob("polyassay-*")
            if path.name.split("-")[1] in map(str, self._started)
        ]
        return [*children, *mounts, *groups, *map(str, (self._folder / "tmp").iterdir())]

    def _call(self, *arguments: str, seconds: float | None = None) -> str:
        given = {"HOSTILE_SECRET": self._around.secret, "TMPDIR": str(self._folder / "tmp")}
        process = subprocess.Popen(
            [*polyassay(), *arguments],
            cwd=self._folder,
            env=os.environ | given,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            told, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            told, _ = process.communicate()
        if process.returncode not in (0, 130 if seconds else 0):
            raise SystemExit(f"polyassay {arguments[0]} ended with {process.returncode}")
        return told

    def _watch(self, watched: list[dict[str, float]], done: threading.Event) -> None:
        while not done.wait(2):
            row = {"memory_mb": 0.0, "open_files": 0.0}
            for process in psutil.Process().children(recursive=True):
                self._started.add(process.pid)
                try:
                    row["memory_mb"] += process.memory_full_info().pss / 1e6
                    row["open_files"] += process.num_fds()
                except psutil.Error:
                    continue
            watched.append(row)


if __name__ == "__main__":
    sys.exit(main())
