"""The hostile suites' format: records in, native tasks and answers out."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STYLES = {"function": "function", "class": "class", "stdout": "program", "junit5": "junit"}
# The record's time limit is one for the whole candidate; a loaded machine gets some wall time more.
WALL_FACTOR = 4


@dataclass(frozen=True)
class Record:
    id: str
    language: str
    kind: str
    task: dict[str, Any]
    expect: dict[str, Any]
    candidate: str  # with its placeholders

    @property
    def honest(self) -> bool:
        return self.kind == "honest"

    @property
    def alone(self) -> bool:
        """Whether it needs a run of its own, so that what is measured is its doing."""
        measured = {"bounded", "port_quiet", "runner_alive"}
        return any(probe["probe"] in measured for probe in self.expect["probes"])

    def answer(self, places: dict[str, str]) -> str:
        return fill(self.candidate, places)

    def probes(self, places: dict[str, str]) -> list[dict[str, Any]]:
        return [
            {name: fill(v, places) if isinstance(v, str) else v for name, v in probe.items()}
            for probe in self.expect["probes"]
        ]


def fill(text: str, places: dict[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(f"@@{name}@@", value)
    return text


def load(path: Path) -> list[Record]:
    """All records; ends the program with one sentence where the file has none or a bad one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{path} cannot be read: {error}")
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(_record(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else f"is no record: {error}"
            sys.exit(f"{path}, line {number}, {what}; docs/security.md tells the format")
    return records


def _record(raw: dict[str, Any]) -> Record:
    source = raw["candidate"]
    if source is None:
        source = grown(raw["recipe"])
    fields = {name: raw[name] for name in ("id", "language", "kind", "task", "expect")}
    return Record(**fields, candidate=source)


def grown(recipe: dict[str, Any]) -> str:
    times = recipe["times"]
    middle = recipe["unit"] * times + recipe.get("middle", "") + recipe.get("unit2", "") * times
    return str(recipe["prefix"] + middle + recipe["suffix"])


def control_of(record: Record, records: list[Record]) -> Record:
    """The correct answer to the same task."""
    return next(r for r in records if r.id == f"{record.task['id']}-right")


def native_task(task: dict[str, Any]) -> dict[str, Any]:
    """The task as a line of a native suite."""
    seconds = task["timeout_s"]
    native = {
        "id": task["id"],
        "language": task["language"],
        "style": STYLES[task["style"]],
        "prompts": {"en": task["prompt"]},
        "tests": [{"name": test["id"], **_without_id(test)} for test in task["tests"]],
        "limits": {
            "seconds": seconds,
            "total_seconds": seconds * WALL_FACTOR,
            "memory_mb": task["memory_mb"],
        },
    }
    same = ("entry", "signature", "class_name", "test_source", "setup")
    return native | {name: task[name] for name in same if name in task and _wanted(name, task)}


def _wanted(name: str, task: dict[str, Any]) -> bool:
    return not (name == "entry" and task["style"] == "stdout")


def _without_id(test: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in test.items() if name != "id"}


def batches(records: list[Record], size: int) -> list[list[Record]]:
    """What can share a run, and by itself what cannot."""
    alone = [[record] for record in records if record.alone]
    rest = [record for record in records if not record.alone]
    return [rest[i : i + size] for i in range(0, len(rest), size)] + alone


def answer_line(record: Record, sample: int, answer: str, tool: str = "") -> str:
    """One answer, of a tool that is named after the record where it has no other name."""
    line = {"task": record.task["id"], "tool": tool or record.id}
    line |= {"sample": sample, "answer": answer}
    return json.dumps(line) + "\n"
