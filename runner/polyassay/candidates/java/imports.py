"""Which imports an answer lacks: packages of the JDK, and one class where two could be meant."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise

from polyassay.candidates.java.tokens import TYPE_WORDS, Token
from polyassay.model import Task

IMPORT = re.compile(r"(?m)^[ \t]*import\s+([\w.]+(?:\s*\.\s*\*)?)\s*;")
# Nested types that people write as if they stood alone.
NESTED = {"Entry": "java.util.Map"}


def missing_imports(
    found: list[Token], imported: Iterable[str], declared: Iterable[str], task: Task
) -> list[str]:
    """What stands after `import`, sorted: java.util.*, java.awt.List, …"""
    own = [name.replace(" ", "") for name in imported]
    named = {name.rpartition(".")[2] for name in own if not name.endswith("*")}
    wide = [name.removesuffix(".*") for name in own if name.endswith(".*")]
    wanted = _types_used(found) - named - set(declared) - _neighbours(task)
    hints, homes = _hints(task), _homes()
    packages: dict[str, None] = {}
    single: set[str] = set()
    meant: dict[str, str] = {}  # name → its package
    for name in sorted(wanted):
        places = homes.get(name, ())
        if name in hints and hints[name] not in places:
            single.add(f"{hints[name]}.{name}")
        elif name in NESTED and not places:
            single.add(f"{NESTED[name]}.{name}")
        elif places:
            own_place = next((place for place in places if place in wide), places[0])
            meant[name] = hints.get(name, own_place)
            packages[meant[name]] = None
    visible = {"java.lang", *wide, *packages}
    for name, place in meant.items():
        if len(visible.intersection(homes[name])) > 1:
            single.add(f"{place}.{name}")
    packages = {p: None for p in packages if p != "java.lang" and p not in wide}
    return sorted([f"{package}.*" for package in packages] + list(single))


def _types_used(found: list[Token]) -> set[str]:
    """Names with a capital that stand alone or begin a chain."""
    return {
        token.text
        for index, token in enumerate(found)
        if token.kind == "word"
        and token.text[:1].isupper()
        and not (index and found[index - 1].text == ".")
    }


def declared_types(found: list[Token]) -> set[str]:
    pairs = pairwise(found)
    return {name.text for word, name in pairs if word.text in TYPE_WORDS and name.kind == "word"}


def _neighbours(task: Task) -> set[str]:
    """Classes that come with the task in the answer's own package: an import would hide them."""
    package = task.package.replace(".", "/")
    paths = (path.removesuffix(".java").rpartition("/") for path in task.support)
    own = {path.rpartition("/")[2].removesuffix(".java") for path in task.solution}
    return {name for folder, _, name in paths if folder == package} | own


def _hints(task: Task) -> Mapping[str, str]:
    """What the task's own sources mean by a name that several packages have."""
    base = task.extra.get("extends", "").replace(".", "/") + ".java"
    sources = (task.context, task.test_source, task.support.get(base, ""))
    return _hints_in(sources)


@cache
def _hints_in(sources: tuple[str, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for source in sources:
        for name in IMPORT.findall(source):
            package, _, simple = name.rpartition(".")
            if simple != "*" and package.startswith(("java.", "javax.")):
                found.setdefault(simple, package)
    return found


@cache
def _homes() -> Mapping[str, tuple[str, ...]]:
    """Simple name → packages of the JDK that have it, the likeliest first."""
    homes: dict[str, tuple[str, ...]] = {}
    table = files("polyassay.candidates.java").joinpath("jdk_types.txt").read_text("utf-8")
    for line in table.splitlines():
        package, _, names = line.partition(": ")
        for name in names.split():
            homes[name] = (*homes.get(name, ()), package)
    return homes
