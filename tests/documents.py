"""The code blocks of our documents, and what a reader is promised about each of them.

A block without a mark is shell code. It is run with the other blocks of its page, in their order
and in one empty folder. Marks are HTML comments right above the block, so that no reader sees them:

    <!-- run first: cp -r "$CHECKOUT/datasets/answers" . -->   what the reader has already
    <!-- file: mine.jsonl -->                    the block is that file, for the blocks below it
    <!-- schema: study -->                       the block is held against `polyassay schema study`
    <!-- run by: tests/end_to_end/test_x.py -->  that test takes the block from the page and runs it
    <!-- not run: needs a model server -->       nothing runs it, for this reason
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHELL = ("", "sh", "bash", "console")
MARKS = ("run first", "file", "schema", "run by", "not run")
_FENCE = re.compile(r"^( *)```(.*)$")
_MARK = re.compile(r"<!-- ([a-z ]+): (.+?) -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page, with the marks above it."""

    page: Path
    line: int
    language: str
    text: str
    marks: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def mark(self, name: str) -> str:
        return next((value for known, value in self.marks if known == name), "")

    @property
    def left_out(self) -> bool:
        return bool(self.mark("not run") or self.mark("run by"))

    @property
    def problem(self) -> str:
        """Why a reader could not rely on this block; empty: they can."""
        strange = [name for name, _ in self.marks if name not in MARKS]
        if strange:
            return f"the mark {strange[0]!r} is none of {', '.join(MARKS)}"
        if self.left_out or self.mark("file") or self.mark("schema"):
            return ""
        if self.language not in SHELL:
            return f"a block of {self.language} needs a mark: file, schema, run by or not run"
        return ""

    @property
    def script(self) -> str:
        """What a reader would type: of a session the lines with a prompt, else everything."""
        lines = self.text.splitlines()
        typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return "\n".join(typed or lines) + "\n"


def pages() -> list[Path]:
    """Every document that people read: not the data of suites, and nothing that was built."""
    places = ("*.md", "docs/**/*.md", "datasets/*.md", ".github/**/*.md")
    return sorted(page for place in places for page in ROOT.glob(place))


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    lines = page.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        opened = _FENCE.match(lines[number])
        if opened:
            indent, language = opened.groups()
            end = lines.index(f"{indent}```", number + 1)  # one that is never closed fails here
            body = (line.removeprefix(indent) for line in lines[number + 1 : end])
            text = "".join(f"{line}\n" for line in body)
            yield Block(page, number + 1, language.strip(), text, _marks(lines[:number]))
            number = end
        number += 1


def _marks(above: list[str]) -> tuple[tuple[str, str], ...]:
    """The comments that end right above a block."""
    text = "\n".join(above).rstrip()
    found: list[tuple[str, str]] = []
    while text.endswith("-->"):
        start = text.rindex("<!--")
        mark = _MARK.fullmatch(text[start:])
        if mark is None:
            break
        found.insert(0, (mark[1], mark[2].strip()))
        text = text[:start].rstrip()
    return tuple(found)
