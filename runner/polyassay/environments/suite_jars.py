"""A suite's jars, laid out where compilers and JVMs can read them.

HOME/jars/SHA256.jar is named by what is in it, so that suites share jars and a run finds those
that it was recorded with, whatever became of its suite since.
"""

import base64
import hashlib
import os
import tempfile
from pathlib import Path

from polyassay.model import Suite, Task


def lay_out(home: Path, suite: Suite) -> None:
    """Writes the suite's jars where they are missing or damaged."""
    for content in map(base64.b64decode, suite.jars.values()):
        keep(home, content)


def keep(home: Path, content: bytes) -> None:
    """Writes a jar where it is missing or damaged."""
    place = place_of(home, hashlib.sha256(content).hexdigest())
    if not place.is_file() or place.read_bytes() != content:
        _write(place, content)


def jars_of(home: Path, task: Task) -> tuple[Path, ...]:
    """The task's class path, in the suite's order."""
    return tuple(place_of(home, checksum) for checksum in task.jars.values())


def lacking(home: Path, task: Task) -> str:
    """The first of the task's jars that is not here, in words; or nothing."""
    for name, checksum in task.jars.items():
        if not place_of(home, checksum).is_file():
            return f"the library {name} is not here"
    return ""


def place_of(home: Path, checksum: str) -> Path:
    return home.resolve() / "jars" / f"{checksum}.jar"


def _write(place: Path, content: bytes) -> None:
    """By a rename, because other runs may read it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, aside = tempfile.mkstemp(dir=place.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    Path(aside).chmod(0o644)  # candidates read it as another user
    Path(aside).replace(place)
