"""Which run a study made of which answers, so that it goes on with that run and no other."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from polyassay.model import Suite
from polyassay.store import Run

FILE = "study.json"


@dataclass(frozen=True, slots=True)
class StudyState:
    run: str = ""
    inputs: str = ""  # checksum of suites, answers and flags
    before: tuple[str, ...] = ()  # runs that were there when the study's own was about to begin

    @classmethod
    def read(cls, folder: Path) -> "StudyState":
        try:
            value = json.loads((folder / FILE).read_text("utf-8"))
            return cls(value["run"], value["inputs"], tuple(value["before"]))
        except (OSError, ValueError, TypeError, KeyError):
            return cls()

    def write(self, folder: Path) -> None:
        aside = folder / f".{FILE}"
        aside.write_text(json.dumps(asdict(self)), "utf-8")
        aside.replace(folder / FILE)


def run_to_resume(
    state: StudyState, inputs: str, runs: Sequence[Run], tools: Collection[str]
) -> str:
    """The study's run of these very answers, also where a kill came before it was noted."""
    if state.inputs != inputs:
        return ""
    if state.run:
        return state.run if any(run.id == state.run for run in runs) else ""
    begun = (run for run in runs if run.id not in state.before)  # the newest first
    return next((r.id for r in begun if set(r.provenance["candidates"]["tools"]) == set(tools)), "")


def inputs_of(
    suites: Mapping[str, Suite], sources: Iterable[tuple[str, Path]], flags: Sequence[str]
) -> str:
    digest = hashlib.sha256(json.dumps(list(flags)).encode())
    for name, suite in suites.items():
        digest.update(f"\n{name} {suite.checksum} {len(suite.tasks)}".encode())
    for tool, path in sources:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(f"\n{tool} {file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()
