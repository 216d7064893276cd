"""What tests need of the machine; the one place that skips tests.

A part that is missing on a newcomer's machine skips the tests that need it, and says so. Under
CI (CI=true) it fails them, because a test that is skipped there is run nowhere. A CI that cannot
have a part names it in POLYASSAY_MAY_LACK, separated by commas.
"""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from polyassay.errors import PolyAssayError

AXE_CORE = "4.14.0"
ROOT = Path(__file__).resolve().parent.parent
# Parts by name, with what they are where they are missing. tools/setup --tests installs those
# that have a command.
COMMANDS = {
    "bubblewrap": ("bwrap", "bubblewrap"),
    "java": ("javac", "openjdk-17-jdk-headless"),
    "gradle": ("gradle", "gradle"),
    "tmux": ("tmux", "tmux"),
    "chromium": ("chromium", "chromium"),
    "docker": ("dockerd", "docker.io"),
    "groff": ("groff", "groff"),
    "debootstrap": ("debootstrap", "debootstrap"),
    "postgresql": ("pg_ctlcluster", "postgresql"),
}
OTHERS = {
    "acp",
    "axe-core",
    "public data",
    "aixbench",
    "polyglot",
    "control groups",
    "environment",
    "playwright",
    "model server",
    "ray",
}


def missing(part: str, why: str) -> NoReturn:
    """Skips a test that needs a part which is not here, or fails it under CI."""
    if part not in COMMANDS and part not in OTHERS:
        raise ValueError(f"{part} is not one of {sorted({*COMMANDS, *OTHERS})}")
    may_lack = {name.strip() for name in os.environ.get("POLYASSAY_MAY_LACK", "").split(",")}
    if os.environ.get("CI") == "true" and part not in may_lack:
        pytest.fail(f"CI must have {part}: {why}", pytrace=False)
    pytest.skip(f"needs {part}: {why}")


def need(part: str) -> str:
    """The path of a part's command."""
    command, package = COMMANDS[part]
    found = shutil.which(command)
    if found is None:
        missing(part, f"there is no {command} (on Debian: apt-get install {package})")
    return found


def need_package(name: str, package: str) -> None:
    """A Python package that only an extra of ours brings."""
    if importlib.util.find_spec(name) is None:
        missing({"psycopg": "postgresql"}.get(name, name), f"install {package}")


def postgresql_programs() -> Path:
    """The folder with initdb and pg_ctl, which Debian keeps out of PATH."""
    need_package("psycopg", "polyassay[postgres]")
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists():
            return place
    missing("postgresql", "there is no initdb (on Debian: apt-get install postgresql)")


def elsewhere(why: str) -> NoReturn:
    """Skips a test that is meant for another kind of machine or user; nothing is missing."""
    pytest.skip(why)


def shared_data() -> Path:
    """Real files of the public suites, which are never part of this repository."""
    folder = Path(os.environ.get("POLYASSAY_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        missing("public data", f"there is no {folder}; POLYASSAY_SHARED names another folder")
    return folder


def aixbench_checkout() -> Path:
    """A checkout of the AixBench repository, which is never part of this repository either."""
    place = os.environ.get("POLYASSAY_AIXBENCH")
    if not place or not Path(place, "src/main/resources").is_dir():
        missing("aixbench", "name a checkout of it in POLYASSAY_AIXBENCH")
    return Path(place)


@contextmanager
def given(part: str) -> Iterator[None]:
    """What PolyAssay itself misses within is a part that is missing."""
    try:
        yield
    except PolyAssayError as error:
        missing(part, f"{error.problem} {error.hint}")


def polyglot_checkout() -> Path:
    """A checkout of aider's polyglot benchmark, with its jars in `lib`; never part of this one."""
    place = os.environ.get("POLYASSAY_POLYGLOT")
    if not place:
        missing("polyglot", "POLYASSAY_POLYGLOT names no checkout of aider's polyglot benchmark")
    return Path(place)


def axe_core() -> str:
    """The source of axe-core, which checks pages for accessibility."""
    package = ROOT / ".venv/npm/node_modules/axe-core"
    kept = package / "axe.min.js"
    if not kept.is_file() or f'"{AXE_CORE}"' not in (package / "package.json").read_text("utf-8"):
        missing("axe-core", f"tools/setup --tests gets version {AXE_CORE} where npm is")
    return kept.read_text("utf-8")
