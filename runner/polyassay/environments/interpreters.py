"""Suite environments: an interpreter with a suite's pinned libraries, made once and reused.

CACHE/environments/HASH is a virtual environment; the hash goes over the pins and the Python, so
that suites with the same pins share one, in all working folders. `environment.json` is written
last: without it a folder is what an interrupted creation left, and is made anew.
HOME/environments/SUITE.json says which environment a suite uses; earlier versions kept the
environments beside it, and those are used as long as they fit.
"""

import functools
import hashlib
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from polyassay.environments.cache import cache_folder, making, use
from polyassay.environments.suite_jars import lay_out
from polyassay.errors import PolyAssayError
from polyassay.model import Suite
from polyassay.requirement import name_of, normal
from polyassay.wording import counted

ABOUT = "environment.json"
DEFAULT_SETS = ("current", "default")
_SECONDS = 3600
_PROBE = """
import json, platform, re, site, sys
from importlib.metadata import distributions
if sys.flags.no_site:
    sys.path += site.getsitepackages()
given, required = {}, {}
normal = lambda name: re.sub("[-_.]+", "-", name).lower()
for found in distributions():
    name = normal(found.metadata["Name"])
    modules = given.setdefault(name, set((found.read_text("top_level.txt") or "").split()))
    for file in found.files or ():
        first = file.parts[0]
        if len(file.parts) > 1 and not first.startswith("..") and "." not in first:
            modules.add(first)
        elif first.endswith((".py", ".so")):
            modules.add(first.partition(".")[0])
    always = [text for text in found.requires or () if "extra ==" not in text]
    required[name] = [normal(re.match(r"[\\w.-]+", text).group()) for text in always]
needs = {
    (module, other)
    for name, modules in given.items()
    for module in modules
    for wanted in required[name]
    for other in given.get(wanted, ())
}
print(json.dumps({
    "python": ".".join(map(str, sys.version_info[:3])),
    "build": ", ".join((*platform.python_build(), platform.python_compiler())),
    "prefix": sys.base_prefix,
    "modules": sorted(set().union(*given.values())),
    "distributions": sorted(given),
    "needs": sorted(needs),
    "standard": sorted(getattr(sys, "stdlib_module_names", sys.builtin_module_names)),
}))
"""


class Installed(NamedTuple):
    """What a Python can import that is no part of it."""

    modules: frozenset[str] = frozenset()
    distributions: frozenset[str] = frozenset()
    needs: frozenset[tuple[str, str]] = frozenset()  # (module, one that its library requires)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that runs candidates, what it must be able to read, and what it can import."""

    executable: Path
    readable: tuple[Path, ...]
    version: str = ""
    build: str = ""  # of two builds of one version, one may hash or lay out what the other does not
    # No environment of ours: what this machine's .pth files would start is left out.
    bare: bool = False
    standard: frozenset[str] = sys.stdlib_module_names
    # Looked up when somebody asks, because that may take longer than to judge a hundred candidates.
    installed: Callable[[], Installed] = field(default=Installed, compare=False)

    def has(self, name: str) -> bool:
        """Whether it can import the module, or has the distribution of that name."""
        name = name_of(name)
        return (
            top_of(name) in self.standard
            or top_of(name) in self.installed().modules
            or normal(name) in self.installed().distributions
        )

    def lacks(self, libraries: Iterable[str]) -> str:
        """The first library that is not there; or nothing."""
        return next((name for name in libraries if not self.has(name)), "")


def top_of(name: str) -> str:
    return name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Environment:
    suite: str
    set: str
    folder: Path
    python: str
    pins: tuple[str, ...]
    broken: bool = False


def create(
    home: Path,
    suite: Suite,
    python: Path | None = None,
    set_name: str | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Environment:
    """The suite's environment, made or mended where need be, and used from now on."""
    set_name, pins = _pins(suite, set_name)
    executable = python or Path(sys._base_executable)  # type: ignore[attr-defined]
    about = _probe(executable)
    made_from = json.dumps([about["python"], about["build"], about["prefix"], pins]).encode()
    digest = hashlib.sha256(made_from).hexdigest()[:16]
    folder = use(cache_folder(home) / "environments" / digest)
    with making(folder):
        if not _works(folder):
            libraries = counted(len(pins), "library", "libraries")
            tell(f"making an environment for {suite.name}: {libraries}")
            _build(folder, executable, pins)
    chosen = {"set": set_name, "folder": folder.name}
    pointer = _pointer(home, suite.name)
    pointer.parent.mkdir(parents=True, exist_ok=True)
    pointer.with_suffix(".new").write_text(json.dumps(chosen))
    pointer.with_suffix(".new").replace(pointer)
    return Environment(suite.name, set_name, folder, str(about["python"]), pins)


def ensure(home: Path, suite: Suite, tell: Callable[[str], None] = lambda line: None) -> None:
    """Lays out a suite's jars, and makes the environment that it needs where none works."""
    lay_out(home, suite)
    if not suite.libraries:
        return
    pointer = _pointer(home, suite.name)
    if not pointer.is_file():
        create(home, suite, tell=tell)
        return
    folder, set_name = _chosen(pointer)
    # A suite that was replaced may have other libraries now.
    kept = set_name if set_name in suite.libraries else None
    if not _works(folder) or tuple(_list(_read(folder / ABOUT), "pins")) != _pins(suite, kept)[1]:
        create(home, suite, set_name=kept, tell=tell)


def list_environments(home: Path) -> list[Environment]:
    found = []
    for pointer in sorted((home / "environments").glob("*.json")):
        folder, set_name = _chosen(pointer)
        about = _read(folder / ABOUT) if (folder / ABOUT).is_file() else {}
        pins = about.get("pins", [])
        assert isinstance(pins, list)
        found.append(
            Environment(
                pointer.stem,
                set_name,
                folder,
                str(about.get("python", "")),
                tuple(map(str, pins)),
                broken=not _works(folder),
            )
        )
    return found


def interpreter_of(home: Path, suite: str) -> Interpreter:
    """The suite's own, or the runner's without the runner's libraries."""
    pointer = _pointer(home, suite)
    if pointer.is_file():
        folder, _ = _chosen(pointer)
        if _works(folder):
            return _own(folder)
    executable = Path(sys._base_executable)  # type: ignore[attr-defined]
    return Interpreter(
        executable.resolve(),
        _outside_usr(Path(sys.base_prefix)),
        platform.python_version(),
        ", ".join((*platform.python_build(), platform.python_compiler())),
        bare=True,
        installed=functools.cache(lambda: _installed(_probe(executable, "-S"))),
    )


def _pointer(home: Path, suite: str) -> Path:
    return home / "environments" / f"{suite}.json"


def _chosen(pointer: Path) -> tuple[Path, str]:
    """The environment's folder, which is kept from being freed, and the set of libraries."""
    chosen = _read(pointer)
    name, set_name = str(chosen["folder"]), str(chosen["set"])
    if (pointer.parent / name).is_dir():  # made by an earlier version
        return pointer.parent / name, set_name
    return use(cache_folder(pointer.parents[1]) / "environments" / name), set_name


def _own(folder: Path) -> Interpreter:
    """An environment's."""
    about = _read(folder / ABOUT)
    return Interpreter(
        folder / "bin" / "python",
        _outside_usr(Path(str(about["prefix"])), folder),
        str(about["python"]),
        str(about.get("build") or _probe(folder / "bin" / "python")["build"]),
        standard=frozenset(_list(about, "standard")),
        installed=functools.cache(lambda: _installed(about)),
    )


def _outside_usr(*folders: Path) -> tuple[Path, ...]:
    """What a sandbox does not show in any case."""
    return tuple(folder for folder in folders if not folder.is_relative_to("/usr"))


def _installed(about: dict[str, object]) -> Installed:
    return Installed(
        frozenset(_list(about, "modules")) - frozenset(_list(about, "standard")),
        frozenset(map(normal, _list(about, "distributions"))),
        frozenset((pair[0], pair[1]) for pair in _list(about, "needs")),
    )


def _pins(suite: Suite, set_name: str | None) -> tuple[str, tuple[str, ...]]:
    sets = suite.libraries
    if not sets:
        raise PolyAssayError(
            f'the suite "{suite.name}" needs no libraries.',
            hint="it runs without an environment of its own.",
        )
    chosen = set_name or next((name for name in DEFAULT_SETS if name in sets), next(iter(sets)))
    if chosen not in sets:
        raise PolyAssayError(
            f'the suite "{suite.name}" has no libraries "{chosen}".',
            hint=f"it has {', '.join(sets)}.",
        )
    return chosen, tuple(sets[chosen])


def _build(folder: Path, executable: Path, pins: tuple[str, ...]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _run([str(executable), "-m", "venv", str(folder)])
    python = folder / "bin" / "python"
    _install(python, pins)
    about = {**_probe(python), "pins": list(pins)}
    (folder / ABOUT).write_text(json.dumps(about))


def _install(python: Path, pins: tuple[str, ...]) -> None:
    """By uv where it is installed, which is much faster; by pip where uv is not or fails.

    uv does not read pip's settings (an index of the house, say), so pip has the last word.
    """
    if uv := shutil.which("uv"):
        try:
            _run([uv, "pip", "install", "--quiet", "--python", str(python), *pins])
            return
        except PolyAssayError:
            pass
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    _run([*pip, *pins])


def _works(folder: Path) -> bool:
    """Whether it was finished, and its Python still starts."""
    if not (folder / ABOUT).is_file():
        return False
    python = folder / "bin" / "python"
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


def _probe(python: Path, *flags: str) -> dict[str, object]:
    found = json.loads(_run([str(python), "-s", *flags, "-c", _PROBE]))
    assert isinstance(found, dict)
    return found


def _run(argv: list[str]) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS)
    except OSError as error:
        raise PolyAssayError(
            f"{argv[0]} cannot be started: {error.strerror}.",
            hint="name a Python from 3.9 on with --python.",
        ) from None
    if done.returncode:
        words = [line for line in done.stderr.splitlines() if line.strip()]
        raise PolyAssayError(
            f"`{' '.join(argv[:6])} …` failed: {words[-1] if words else done.returncode}",
            hint="check the network and the pins, then run `polyassay env create` again.",
        )
    return done.stdout


def _read(path: Path) -> dict[str, object]:
    found = json.loads(path.read_text())
    assert isinstance(found, dict)
    return found


def _list(about: dict[str, object], key: str) -> list[str]:
    found = about.get(key, [])  # an environment may be older than the key
    assert isinstance(found, list)
    return found
