"""Fenced blocks of a chat, with the file that the chat says each of them is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyassay.candidates.chat import FENCE, fenced_code
from polyassay.candidates.solution.naming import Name, is_title, named_by, parts_by_name
from polyassay.languages import LANGUAGES
from polyassay.model import Language

NEAR = 2  # lines above a fence that may name its file, blank ones left out
FAR = 30  # lines above a fence in which a title may stand
DEFINES = re.compile(r"(?m)^(?:[\w@ ]*\b(?:class|interface|enum|record|def)\b|\w+ *=)")
# What may stand above a remark that names the file.
BEFORE_REMARK = re.compile(r"#!.*|#.*coding[:=].*|/\*+|\"\"\"|'''|(?://|#)?[\s=*#-]*")


@dataclass(frozen=True, slots=True)
class NamedBlock:
    code: str
    path: str = ""  # as the chat writes it; empty where it gives no name
    sure: bool = False  # the name is this block's; else it stands in a sentence above it
    line: int = 0  # of its fence in the text


def named_blocks(text: str, language: Language) -> list[NamedBlock]:
    """The fenced blocks that may hold code, in the chat's order."""
    lines = text.splitlines(keepends=True)
    found = []
    for block in fenced_code(text):
        before, parts = parts_by_name(block.code, language)
        if len(parts) > 1 or (parts and DEFINES.search(before)):
            found += list(_parts(before, parts, block.line))
            continue
        if parts and not before.strip() and not _is_remark(block.code, language):
            found.append(NamedBlock(parts[0][1], parts[0][0], True, block.line))
            continue
        name = (
            in_fence(lines[block.line], language)
            or in_remark(block.code, language)
            or above(lines[: block.line], language)
            or Name("", False)
        )
        found.append(NamedBlock(block.code, name.path, name.sure, block.line))
    return found


def _parts(before: str, parts: Sequence[tuple[str, str]], line: int) -> Iterator[NamedBlock]:
    """One fence with several files; imports that stand above all of them belong to each."""
    own = DEFINES.search(before)
    if own:
        yield NamedBlock(before, line=line)
    for path, code in parts:
        yield NamedBlock(code if own else before + code, path, True, line)


def _is_remark(code: str, language: Language) -> bool:
    return code.lstrip().startswith((LANGUAGES[language].remark, "/*", '"', "'"))


def in_fence(line: str, language: Language) -> Name | None:
    """```java title="src/Foo.java", ```java:Foo.java, ```Foo.java"""
    mark = FENCE.match(line.rstrip("\r\n"))
    name = named_by(line[mark.end(2) :], language) if mark else None
    suffix = LANGUAGES[language].suffix
    return Name(name.path, True) if name and name.path.endswith(suffix) else None


def in_remark(code: str, language: Language) -> Name | None:
    """The file's name in the first lines of a block, in a remark or a docstring."""
    mark = LANGUAGES[language].remark
    for line in code.lstrip().splitlines()[:3]:
        said = line.strip()
        if not BEFORE_REMARK.fullmatch(said):
            break
    else:
        return None
    inside = re.match(rf"(?:{mark}|/\*+|\*|\"\"\"|'''|\w[\w.]*$)+\s*(.*)", said)
    if inside is None:
        return None
    # What stands behind a name tells of it, as in a title.
    name = named_by(f"# {inside[1]}", language)
    return name if name and name.path.endswith(LANGUAGES[language].suffix) else None


def above(lines: Sequence[str], language: Language) -> Name | None:
    """The name in the lines above, up to another block: near it, or in the last title."""
    seen = 0
    for line in reversed(lines[-FAR:]):
        if FENCE.match(line.rstrip("\r\n")):
            break  # the end of another block
        if not line.strip(" \t\r\n>"):
            continue
        seen += 1
        title = is_title(line)
        if (seen <= NEAR or title) and (name := named_by(line, language)):
            return name
        if title and line.lstrip(" >").startswith("#"):
            break  # a heading that speaks of something else
    return None
