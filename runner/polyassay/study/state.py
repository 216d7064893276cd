"""Which run a study made of which answers, so that it goes on with that run and no other."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from polyassay.model import Suite

FILE = "study.json"


@dataclass(frozen=True, slots=True)
class State:
    run: str = ""
    inputs: str = ""  # checksum of suites, answers and flags

    @classmethod
    def read(cls, folder: Path) -> "State":
        try:
            return cls(**json.loads((folder / FILE).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def write(self, folder: Path) -> None:
        aside = folder / f".{FILE}"
        aside.write_text(json.dumps(asdict(self)), "utf-8")
        aside.replace(folder / FILE)


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
