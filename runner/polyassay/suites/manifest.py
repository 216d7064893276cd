"""What is known about a public suite: where it comes from, its licence, and its files' checksums.

A file that differs from the manifest is read all the same, but the suite's version says so, and
with it every run's provenance.
"""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from polyassay.errors import PolyAssayError
from polyassay.suites.datasets import datasets_folder
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_toml


class About(TypedDict):
    """What every suite says of where it comes from."""

    source: str
    licence: str
    canary: str


@dataclass(frozen=True, slots=True)
class Manifest:
    version: str
    description: str
    source: str  # with revision and licence
    licence: str
    canary: str  # text by which the publisher finds the suite in training data; mostly none
    files: Mapping[str, str]  # name → sha256 of a file, or of a folder; empty: not recorded
    fields: Fields  # all of it, for what one suite alone has

    @property
    def about(self) -> About:
        return About(source=self.source, licence=self.licence, canary=self.canary)

    def version_of(self, found: Mapping[str, Path]) -> str:
        """The published version, or that version and a word on why this may not be it."""
        known = {name: self.files.get(name, "") for name in found}
        if any(known[name] and not _is_this(path, known[name]) for name, path in found.items()):
            return f"{self.version}+modified"
        return self.version if all(known.values()) else f"{self.version}+unverified"


def load_manifest(kind: str) -> Manifest:
    fields = read_toml(datasets_folder() / "manifests" / f"{kind}.toml")
    source = f"{fields.text('source')} at {fields.text('revision')}, {fields.text('licence')}"
    return Manifest(
        fields.text("version"),
        fields.text("description"),
        source,
        fields.text("licence"),
        fields.text("canary", ""),
        fields.text_map("files"),
        fields,
    )


def sha256(path: Path) -> str:
    """Of a file's bytes; of a folder, over its files' names and checksums; empty for neither."""
    if not path.exists():
        return ""
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    inner = sorted(file for file in path.rglob("*") if file.is_file())
    lines = (f"{file.relative_to(path).as_posix()} {sha256(file)}\n" for file in inner)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _is_this(path: Path, checksum: str) -> bool:
    """Whether a file is the one that was recorded, packed or not."""
    if path.is_file() and path.suffix == ".gz" and sha256(path) != checksum:
        unpacked = gzip.decompress(path.read_bytes())
        return hashlib.sha256(unpacked).hexdigest() == checksum
    return sha256(path) == checksum


def find_file(path: Path, name: str) -> Path:
    """The file itself, whatever it is called, or the file of that name below a folder."""
    if not path.is_dir():
        return path
    found = sorted(path.rglob(name), key=lambda file: len(file.parts))
    if not found:
        raise PolyAssayError(f"{path} has no {name}.", "check the path after --from.")
    return found[0]
