"""The suites that can be run here: those that ship with the program, and those that were added.

An added suite is a folder HOME/suites/NAME with `suite.json` (about it), `tasks.jsonl` (a native
file) and its jars in `lib`. It appears by a rename, so a reader finds all of it or nothing.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import polyassay
from polyassay.environments.cache import cache_folder, use
from polyassay.environments.harness_jars import find_jars
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Suite
from polyassay.suites.datasets import datasets_folder
from polyassay.suites.make import checksum_of, line_of
from polyassay.suites.manifest import sha256
from polyassay.suites.native import folder
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.notebooks import notebook_folders, rows_of
from polyassay.suites.native.task_json import task_from
from polyassay.suites.text import parse_json, read_jsonl, read_text
from polyassay.wording import did_you_mean

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
ABOUT, TASKS, JARS = "suite.json", "tasks.jsonl", "lib"
AGAIN = "add it again with `polyassay suites add`."


@dataclass(frozen=True, slots=True)
class Overview:
    """What a list of suites shows; cheap, because the tasks are not read."""

    name: str
    version: str
    tasks: int
    languages: tuple[str, ...]
    description: str
    shipped: bool


class Registry:
    def __init__(self, home: Path, datasets: Path | None = None) -> None:
        self._added = home / "suites"
        self._home = home
        self._datasets = datasets or datasets_folder()

    def names(self) -> list[str]:
        added = [path.parent.name for path in self._added.glob(f"[!.]*/{ABOUT}")]
        return sorted({*self._shipped(), *added})

    def load(self, name: str) -> Suite:
        """The suite of that name, all of it."""
        if name in self._shipped():
            return self._load_shipped(name)
        if NAME.fullmatch(name) and (self._added / name / ABOUT).is_file():
            return _load(self._added / name)
        raise PolyAssayError(f'there is no suite "{name}".', self._hint(name))

    def _hint(self, name: str) -> str:
        known = (path.stem for path in self._datasets.glob("manifests/*.toml"))
        kinds = [kind for kind in known if name == kind or name.startswith(f"{kind}-")]
        if kinds:
            kind = max(kinds, key=len)
            return f"add its publisher's files: `polyassay suites add {kind} --from PATH`."
        told = "`polyassay suites list` shows all; suites are added per folder, whatever the store."
        return did_you_mean(name, self.names()) + told

    def overview(self, name: str) -> Overview:
        if name in self._shipped():
            return _overview_of_folder(self._datasets / name)
        if not NAME.fullmatch(name) or not (self._added / name / ABOUT).is_file():
            self.load(name)  # says what is wrong
        about = _about(self._added / name)
        return Overview(
            name,
            about.text("version"),
            about.positive("tasks", 1),
            about.texts("languages"),
            about.text("description", ""),
            shipped=False,
        )

    def refuse_name(self, name: str) -> None:
        if not NAME.fullmatch(name):
            raise PolyAssayError(
                f'"{name}" cannot be the name of a suite.',
                "give it another with --as: letters, digits, dots, dashes and underscores.",
            )

    def add(self, suite: Suite, *, replace: bool = False) -> bool:
        """Keeps a suite; False where this very suite is there already."""
        self.refuse_name(suite.name)
        shipped = suite.name in self._shipped()
        if shipped or (self._added / suite.name).exists():
            found = self._found(suite.name)
            if found and found.checksum == suite.checksum:
                if shipped or found.tasks == suite.tasks:
                    return False
                # Newer rules have decided how it is judged: it is kept anew.
            elif shipped or not replace:
                raise PolyAssayError(
                    f'there is another suite "{suite.name}" already.',
                    "give this one another name with --as"
                    + ("." if shipped else ", or replace the old one with --replace."),
                )
        with _writing(self._added):
            _store(suite, self._added / suite.name)
        return True

    def remove(self, name: str) -> None:
        """Forgets a suite that was added, whole or broken; runs keep the suites that they had."""
        if name in self._shipped():
            raise PolyAssayError(
                f'"{name}" ships with PolyAssay and cannot be removed.',
                "only suites that were added can be.",
            )
        place = self._added / name
        if not NAME.fullmatch(name) or not place.is_dir():
            raise PolyAssayError(f'there is no suite "{name}".', self._hint(name))
        aside = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=self._added))
        place.rename(aside / "old")  # at once, so that no reader finds half of it
        shutil.rmtree(aside, ignore_errors=True)

    def _found(self, name: str) -> Suite | None:
        try:
            return self.load(name)
        except PolyAssayError:  # broken: adding it again with --replace mends it
            return None

    def _shipped(self) -> set[str]:
        return {path.parent.name for path in self._datasets.glob(f"*/{folder.SUITE}")}

    def _load_shipped(self, name: str) -> Suite:
        """Read from its folder once, and kept: finding Java test names takes a JVM."""
        source = self._datasets / name
        kept = use(cache_folder(self._home) / "suites" / f"{name}-{_digest(source)[:16]}")
        if (kept / ABOUT).is_file():
            return _load(kept)
        (suite,) = folder.read(source, name)
        with suppress(OSError):  # a cache that cannot be written only costs time
            _store(suite, kept)
        return suite


def _store(suite: Suite, place: Path) -> None:
    """Writes all of it aside, then moves it into place."""
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        about = {
            "name": suite.name,
            "version": suite.version,
            "checksum": suite.checksum,
            "description": suite.description,
            "source": suite.source,
            "licence": suite.licence,
            "canary": suite.canary,
            "libraries": {name: list(pins) for name, pins in suite.libraries.items()},
            "tasks": len(suite.tasks),
            "languages": sorted({str(task.language) for task in suite.tasks}),
        }
        for file, jar in suite.jars.items():
            (aside / JARS).mkdir(exist_ok=True)
            _write(aside / JARS / file, base64.b64decode(jar))
        tasks = "".join(line_of(task) + "\n" for task in suite.tasks)
        _write(aside / TASKS, tasks.encode())
        _write(aside / ABOUT, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())
        aside.chmod(0o755)
        if place.exists():
            place.rename(aside / "old")
        aside.rename(place)
    except BaseException:
        if (aside / "old").is_dir() and not place.exists():
            (aside / "old").rename(place)
        shutil.rmtree(aside, ignore_errors=True)
        raise
    shutil.rmtree(place / "old", ignore_errors=True)


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PolyAssayError(
            f"Cannot write to {place}: {error.strerror or error}.",
            "nothing was added. Make room or give yourself access, and add it again.",
        ) from None


def _load(place: Path) -> Suite:
    """A stored suite; its checksum proves that nothing of it was lost or changed."""
    try:
        return _read(place)
    except PolyAssayError as error:
        raise PolyAssayError(f"A stored suite is broken: {error.problem}", AGAIN) from None


def _read(place: Path) -> Suite:
    about = _about(place)
    name, libraries = about.text("name"), about.object("libraries")
    pins = {key: libraries.texts(key) for key in libraries.values}
    tasks = tuple(
        task_from(Fields(f"{place / TASKS}, line {number}", value), name)
        for number, value in read_jsonl(place / TASKS)
    )
    if checksum_of(name, pins, tasks) != about.text("checksum"):
        about.refuse("checksum", f"does not fit {TASKS}")
    jars = sorted((place / JARS).glob("*"))
    named = {file: found for task in tasks for file, found in task.jars.items()}
    if {jar.name: sha256(jar) for jar in jars} != named:
        about.refuse("checksum", f"does not fit the jars in {JARS}")
    return Suite(
        name,
        about.text("version"),
        about.text("checksum"),
        tasks,
        about.text("description", ""),
        about.text("source", ""),
        pins,
        {jar.name: base64.b64encode(jar.read_bytes()).decode() for jar in jars},
        about.text("licence", ""),
        about.text("canary", ""),
    )


def _about(place: Path) -> Fields:
    return Fields(str(place / ABOUT), parse_json(read_text(place / ABOUT), str(place / ABOUT)))


def _overview_of_folder(path: Path) -> Overview:
    about, tasks = folder.read_about(path), folder.task_folders(path)
    languages = {folder.language_of(task) for task in tasks}
    cells = [row for inner in notebook_folders(path) for row in rows_of(inner)]
    if cells:
        languages.add(Language.PYTHON)
    return Overview(
        path.name,
        about.text("version", "?"),
        len(tasks) + len(cells),
        tuple(sorted(languages)),
        about.text("description", ""),
        shipped=True,
    )


def _digest(path: Path) -> str:
    """Over the bytes of all files, and over the programs that read them."""
    digest = hashlib.sha256(polyassay.__version__.encode())
    with suppress(PolyAssayError):  # without it, Java suites cannot be read anyway
        digest.update((find_jars() / "polyassay-harness.jar").read_bytes())
    for file in folder.files_below(path):
        content = file.read_bytes()
        digest.update(f"\n{file.relative_to(path).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
