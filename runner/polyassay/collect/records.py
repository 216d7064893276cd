"""What happened when an agent was let at one task: runs.jsonl, one line a task and sample."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

NAME = "runs.jsonl"


@dataclass(frozen=True, slots=True)
class WorkspaceRecord:
    suite: str
    task: str
    sample: int
    via: str  # workspace or acp
    command: tuple[str, ...]
    seconds: float
    exit_code: int | None = None  # noted, and not believed
    timed_out: bool = False
    problem: str = ""  # why nothing could be taken
    tool_version: str | None = None
    tokens: Mapping[str, int | None] = field(default_factory=dict)
    cost: float | None = None
    edited: bool = False
    changed: tuple[str, ...] = ()  # given files that it changed or deleted
    added: tuple[str, ...] = ()  # files that the task does not ask for
    output: str = ""  # the folder with what it printed
    refused: tuple[str, ...] = ()  # acp: what it wanted outside of its workspace

    def origin(self) -> dict[str, Any]:
        """What an answer's line says of it."""
        found = asdict(self)
        names = ("seconds", "exit_code", "timed_out", "tokens", "cost", "changed", "added")
        told = {name: found[name] for name in (*names, "command", "refused")}
        return told | ({"tool_version": self.tool_version} if self.tool_version else {})


def append(folder: Path, record: WorkspaceRecord) -> None:
    """Durable before it counts."""
    with (folder / NAME).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read(folder: Path) -> dict[tuple[str, str, int], WorkspaceRecord]:
    """The last one of each; a line that a kill cut off is as if it were not there."""
    path = folder / NAME
    found: dict[tuple[str, str, int], WorkspaceRecord] = {}
    if not path.is_file():
        return found
    for line in path.read_text("utf-8").splitlines():
        try:
            value = json.loads(line)
            record = WorkspaceRecord(**value | {n: tuple(value[n]) for n in _TUPLES})
        except (ValueError, TypeError, KeyError):
            continue
        found[record.suite, record.task, record.sample] = record
    return found


_TUPLES = ("command", "changed", "added", "refused")
