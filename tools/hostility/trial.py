"""Runs hostile records, each followed by an honest one, and lists what went wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostility.meter import Meter, Peak
from hostility.records import Record, answer_line, control_of, native_task
from hostility.surroundings import KEPT, Surroundings, gone, has_ipc

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = {
    "passed": "pass",
    "failed": "fail",
    "timed_out": "timeout",
    "unbuilt": "error",
    "crashed": "error",
    "out_of_memory": "error",
}
RUN_SECONDS = 900


@dataclass
class Run:
    """One call of `polyassay run`."""

    status: int = 0
    words: str = ""  # everything that the command line said, then and about it later
    peak: Peak = field(default_factory=Peak)
    violations: list[str] = field(default_factory=list)


@dataclass
class Trial:
    record: Record
    run: Run
    verdict: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)  # of the honest candidate that came next
    violations: list[str] = field(default_factory=list)


class Bench:
    """A working folder with the suite in it, used for one record after the other."""

    def __init__(self, folder: Path, records: list[Record], options: list[str]) -> None:
        self._folder = folder
        self._records = records
        self._options = options
        self._runs: dict[str, str] = {}  # earlier runs, with their verdicts as they were
        self._around = Surroundings(folder)
        (folder / "tmp").mkdir()
        tasks = {record.task["id"]: native_task(record.task) for record in records}
        suite = "".join(json.dumps(task) + "\n" for task in tasks.values())
        (folder / "suite.jsonl").write_text(suite)
        added = self._polyassay("suites", "add", "native", "--from", "suite.jsonl", "--as", "h")
        if added.returncode:
            raise SystemExit(f"the suite was refused: {added.stderr.decode(errors='replace')}")

    def close(self) -> None:
        self._around.close()

    def try_(self, records: list[Record]) -> list[Trial]:
        self._around.reset()
        places = self._around.places()
        with (self._folder / "answers.jsonl").open("w") as lines:
            for record in records:
                control = control_of(record, self._records)
                lines.write(answer_line(record, 0, record.answer(places)))
                lines.write(answer_line(record, 1, control.answer(places)))
        run = self._run()
        rows = self._read(run)
        trials = []
        for record in records:
            verdict, after = rows.get((record.id, 0), {}), rows.get((record.id, 1), {})
            trial = Trial(record, run, verdict, after, [*run.violations, *wrong(record, verdict)])
            for probe in record.probes(places):
                if not self._holds(probe, trial):
                    trial.violations.append(" ".join(str(value) for value in probe.values()))
            trials.append(trial)
        return trials

    def _run(self) -> Run:
        run = Run()
        said, told = self._folder / "stdout", self._folder / "stderr"
        with said.open("wb") as out, told.open("wb") as err:
            arguments = ("run", "-s", "h", "-c", "answers.jsonl", "--json", "-j", "1")
            process = subprocess.Popen(
                [*polyassay(), *arguments, *self._options], stdout=out, stderr=err, **self._where()
            )
            meter = Meter(process.pid, self._folder, "docker" in self._options)
            try:
                run.status = process.wait(RUN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                run.status = process.wait()
                run.violations.append(f"the runner hung for {RUN_SECONDS} s")
            finally:
                run.peak = meter.stop()
        run.words = said.read_text(errors="replace") + told.read_text(errors="replace")
        return run

    def _read(self, run: Run) -> dict[tuple[str, int], dict[str, Any]]:
        """The verdicts by tool and sample."""
        try:
            name = json.loads((self._folder / "stdout").read_text())["run"]
        except (ValueError, KeyError):
            last = run.words.strip().splitlines()[-1:] or ["nothing"]
            run.violations.append(f"the run gave no result, but {last[0][:200]}")
            return {}
        text = self._verdicts(name)
        self._runs[name] = text
        run.words += text
        return {(row["tool"], row["sample"]): row for row in map(json.loads, text.splitlines())}

    def _verdicts(self, run: str) -> str:
        return self._polyassay("verdicts", run, "--json").stdout.decode(errors="replace")

    def _holds(self, probe: dict[str, Any], trial: Trial) -> bool:
        checks: dict[str, Callable[[], bool]] = {
            "next_passes": lambda: trial.after.get("outcome") == "passed",
            "runner_alive": lambda: trial.run.status == 0,
            "no_process": lambda: gone(probe["match"]),
            "no_file": lambda: not os.path.lexists(Path(probe["path"]).expanduser()),
            "unchanged": lambda: Path(probe["path"]).read_text() == KEPT,
            "port_quiet": lambda: not self._around.heard(),
            "secret_hidden": lambda: not self._stored(self._around.secret, trial),
            "output_lacks": lambda: probe["text"] not in trial.run.words,
            "no_ipc": lambda: not has_ipc(probe["key"]),
            "results_intact": lambda: self._intact(trial),
            "bounded": lambda: self._bounded(probe, trial),
        }
        return checks[probe["probe"]]()

    def _stored(self, text: str, trial: Trial) -> bool:
        """Whether the text is in anything that was said or written down."""
        files = (path for path in (self._folder / ".polyassay").rglob("*") if path.is_file())
        return text in trial.run.words or any(text.encode() in path.read_bytes() for path in files)

    def _intact(self, trial: Trial) -> bool:
        expected = [test["id"] for test in trial.record.task["tests"]]
        reported = [test["name"] for test in trial.verdict.get("tests", [])]
        return expected == reported and all(
            self._verdicts(run) == text for run, text in self._runs.items()
        )

    def _bounded(self, probe: dict[str, Any], trial: Trial) -> bool:
        stored = len(json.dumps(trial.verdict)) + len(trial.run.words)
        measured = {
            "seconds": _seconds(trial),
            "rss_mb": trial.run.peak.rss_mb,
            "disk_mb": trial.run.peak.disk_mb,
            "processes": trial.run.peak.processes,
            "output_kb": stored / 1024,
        }
        over = [name for name in measured if name in probe and measured[name] > probe[name]]
        trial.violations += [f"{name} was {measured[name]:.0f}" for name in over]
        return not over

    def _polyassay(self, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [*polyassay(), *arguments], capture_output=True, check=False, **self._where()
        )

    def _where(self) -> dict[str, Any]:
        given = {"HOSTILE_SECRET": self._around.secret, "TMPDIR": str(self._folder / "tmp")}
        return {"cwd": self._folder, "env": os.environ | given}


def _seconds(trial: Trial) -> float:
    """Its CPU time, or its share of the time that passed, whichever is more.

    A candidate has to wait for processors that others use as well.
    """
    passed = trial.verdict.get("seconds", RUN_SECONDS) / trial.run.peak.crowd
    return float(max(passed, trial.verdict.get("cpu_seconds", 0.0)))


def wrong(record: Record, row: dict[str, Any]) -> list[str]:
    """What is wrong with the verdict itself."""
    expect = record.expect
    if not row:
        return ["no verdict"]
    verdict = VERDICTS.get(row["outcome"], row["outcome"])
    found = []
    if verdict not in expect["accept"]:
        found.append(f"verdict {row['outcome']} ({row.get('reason', '')[:80]})")
    if row["passed"] > expect["max_passed"]:
        found.append(f"{row['passed']} tests passed, at most {expect['max_passed']} may")
    if "tests" in expect:
        seen = {
            test["name"]: "pass" if test["status"] == "passed" else "fail" for test in row["tests"]
        }
        if seen != {name: "pass" if s == "pass" else "fail" for name, s in expect["tests"].items()}:
            found.append(f"tests {seen}")
    return found


def polyassay() -> list[str]:
    installed = ROOT / ".venv" / "bin" / "polyassay"
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "polyassay"]
