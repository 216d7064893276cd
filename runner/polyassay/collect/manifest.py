"""collect.json: what was laid out where, with checksums, so that any change can be told."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from polyassay.errors import PolyAssayError

NAME = "collect.json"
VERSION = 1
MODES = ("completion", "chat", "agent")


@dataclass(frozen=True, slots=True)
class StubFile:
    sha256: str
    plain_sha256: str  # of the text without the white space that editors change on their own
    solution: str = ""  # which of the task's solution files it is; empty for tasks without any
    header_lines: int = 0  # the comment of ours at its start
    header_sha256: str = ""
    cell_sha256: str = ""  # notebooks: of the answer's cell, plain
    context_sha256: str = ""  # notebooks: of the cells before it


@dataclass(frozen=True, slots=True)
class Item:
    """One task and sample, and where its files are below the folder."""

    suite: str
    task: str
    sample: int
    prompt_language: str
    prompt: str
    stubs: Mapping[str, StubFile]
    is_notebook: bool = False

    @property
    def key(self) -> tuple[str, str, int]:
        return self.suite, self.task, self.sample

    @property
    def folder(self) -> str:
        """The folder that belongs to this item alone; empty for a module among others."""
        stub = next(iter(self.stubs))
        parts = stub.split("/")
        return "/".join(parts[:2]) if len(parts) > 2 else ""

    @property
    def solution_root(self) -> str:
        """Where its solution files' paths begin, with a slash; empty where it has no own folder."""
        path, stub = next(iter(self.stubs.items()))
        return path.removesuffix(stub.solution) if self.folder and stub.solution else ""


@dataclass(frozen=True, slots=True)
class About:
    """What a person knows of how the answers came about; None is unknown."""

    tool_version: str | None = None
    model: str | None = None
    mode: str | None = None  # completion, chat or agent
    edited_by_person: bool | None = None

    def updated(self, **given: Any) -> "About":
        return replace(self, **{name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Manifest:
    suites: Mapping[str, str]  # name → checksum
    tool: str
    samples: int
    seed: int
    items: tuple[Item, ...]
    given: Mapping[str, str]  # path → SHA-256 of every file that is no stub
    about: About = field(default_factory=About)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def plain(text: str) -> bytes:
    """Line ends, spaces before them and blank lines at the end are an editor's business."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").encode()


def write(folder: Path, manifest: Manifest) -> None:
    """All of it or nothing, also where the process is killed."""
    value = {"version": VERSION, **asdict(manifest)}
    aside = folder / f".{NAME}-{os.getpid()}"
    with aside.open("w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(folder / NAME)


def read(folder: Path) -> Manifest:
    path = folder / NAME
    if not path.is_file():
        raise PolyAssayError(
            f"{folder} has no {NAME}.",
            hint="`polyassay collect new DIR -s SUITE --tool NAME` lays a folder out.",
        )
    try:
        return _from_json(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise PolyAssayError(
            f"{path} cannot be read: {error}.",
            hint="It was changed by hand or cut off; lay the folder out again, elsewhere.",
        ) from None


def _from_json(value: dict[str, Any]) -> Manifest:
    if value.pop("version") != VERSION:
        raise ValueError("another version of PolyAssay wrote it")
    items = tuple(
        Item(**item | {"stubs": {path: StubFile(**stub) for path, stub in item["stubs"].items()}})
        for item in value["items"]
    )
    return Manifest(**value | {"items": items, "about": About(**value["about"])})


def with_about(folder: Path, manifest: Manifest, about: About) -> Manifest:
    """Keeps what a person said, so that it is asked once."""
    changed = replace(manifest, about=about)
    write(folder, changed)
    return changed
