"""Fenced blocks of a chat, with the file that the chat says each of them is."""

import re
from dataclasses import dataclass

from polyassay.candidates.chat import FENCE, fenced_code
from polyassay.languages import LANGUAGES
from polyassay.model import Language

NEAR = 2  # lines above a fence that may name its file, blank ones left out
LONGEST_LINE = 300
FILE_NAME = r"[\w./\\-]*\w\.\w{1,8}"
# A line that is nothing but a name, whatever marks stand around it.
ONLY_NAME = re.compile(
    rf"[\s#*`>_\d.:()-]*(?:[Ff]ile(?:name)?:?\s*)?[`*]*({FILE_NAME})[`*]*\s*:?[`*]*\s*$"
)
QUOTED_NAME = re.compile(rf"`({FILE_NAME})`")
IN_FENCE = re.compile(rf"(?:^|[\s:=\"'{{])({FILE_NAME})")


@dataclass(frozen=True, slots=True)
class NamedBlock:
    code: str
    path: str = ""  # as the chat writes it; empty where it gives no name


def named_blocks(text: str, language: Language) -> list[NamedBlock]:
    """The fenced blocks that may hold code, in the chat's order."""
    lines = text.splitlines(keepends=True)
    found = []
    for block in fenced_code(text):
        name = (
            _in_fence(lines[block.line], language)
            or _in_first_line(block.code, language)
            or _above(lines, block.line)
        )
        found.append(NamedBlock(block.code, name))
    return found


def _in_fence(line: str, language: Language) -> str:
    """```java title="src/Foo.java", ```java:Foo.java, ```Foo.java"""
    mark = FENCE.match(line.rstrip("\r\n"))
    behind = line[mark.end(2) :].strip()[:LONGEST_LINE] if mark else ""
    suffix = LANGUAGES[language].suffix
    names: list[str] = IN_FENCE.findall(behind)
    return next((name for name in names if name.endswith(suffix)), "")


def _in_first_line(code: str, language: Language) -> str:
    """A remark that is nothing but the file's name."""
    row = LANGUAGES[language]
    first = code.lstrip().partition("\n")[0].strip()[:LONGEST_LINE]
    if not first.startswith(row.remark):
        return ""
    found = ONLY_NAME.match(first.removeprefix(row.remark))
    return found[1] if found else ""


def _above(lines: list[str], fence: int) -> str:
    """The name in the lines above: alone on its line, or the only one in backticks."""
    near = [
        line.strip()[:LONGEST_LINE] for line in lines[max(fence - 4, 0) : fence] if line.strip()
    ]
    for line in reversed(near[-NEAR:]):
        if FENCE.match(line):
            break  # the end of another block
        if found := ONLY_NAME.match(line):
            return str(found[1])
        quoted: list[str] = QUOTED_NAME.findall(line)
        if len(quoted) == 1 and line.endswith((":", "`", "`.")):
            return quoted[0]
    return ""
