"""Finds places of the tree that share lines: the same code, written twice.

    .venv/bin/python tests/shared_lines.py

Counted are runs of at least LEAST lines that are the same but for indentation. Passed over are
blank lines, comments, lines of punctuation alone, and imports: a module names what it uses.
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("runner", "python-harness", "java-harness/src", "tests", "tools")
GOLDEN = ROOT / "tests" / "golden"
LEAST = 6
_WORD = re.compile(r"\w")
_PYTHON = re.compile(rb"#!.*python")


class Line(NamedTuple):
    number: int
    text: str


class Shared(NamedTuple):
    """Two places, each as path and line."""

    one: str
    other: str
    lines: int


def lines_of(path: Path) -> list[Line]:
    """The lines that count."""
    text = path.read_text("utf-8")
    left_out = _imports(text) if path.suffix != ".java" else set()
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.strip()
        if number in left_out or not _WORD.search(bare):
            continue
        if not bare.startswith(("#", "//", "/*", "*", "import ", "package ")):
            found.append(Line(number, bare))
    return found


def _imports(text: str) -> set[int]:
    return {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def shared_lines(files: dict[str, list[Line]], least: int = LEAST) -> list[Shared]:
    """Each run that stands twice, once, at its full length."""
    places = defaultdict(list)
    for name, lines in files.items():
        for start in range(len(lines) - least + 1):
            places[tuple(line.text for line in lines[start : start + least])].append((name, start))
    found = []
    for some in places.values():
        for place, one in enumerate(some):
            for other in some[place + 1 :]:
                count = _length(files, one, other)
                if count >= least:
                    found.append(Shared(_named(files, one), _named(files, other), count))
    return found


def _length(files: dict[str, list[Line]], one: tuple[str, int], other: tuple[str, int]) -> int:
    """How many lines two places share; 0 where the run began before them."""
    (a, i), (b, j) = (files[one[0]], one[1]), (files[other[0]], other[1])
    if i and j and a[i - 1].text == b[j - 1].text:
        return 0
    count = 0
    while i + count < len(a) and j + count < len(b) and a[i + count].text == b[j + count].text:
        count += 1
    overlap = one[0] == other[0] and one[1] + count > other[1]
    return other[1] - one[1] if overlap else count


def _named(files: dict[str, list[Line]], place: tuple[str, int]) -> str:
    name, start = place
    return f"{name}:{files[name][start].number}"


def tree() -> dict[str, list[Line]]:
    """The code of this checkout, Python and Java; tasks and answers are data."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return {str(path.relative_to(ROOT)): lines_of(path) for path in paths if _is_code(path)}


def _is_code(path: Path) -> bool:
    if not path.is_file() or (path.is_relative_to(GOLDEN) and path.parent != GOLDEN):
        return False
    script = not path.suffix and _PYTHON.match(path.read_bytes()[:200])
    return path.suffix in (".py", ".java") or bool(script)


if __name__ == "__main__":
    for shared in sorted(shared_lines(tree()), key=lambda each: -each.lines):
        sys.stdout.write(f"{shared.lines:3} lines: {shared.one} and {shared.other}\n")
