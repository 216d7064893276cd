"""Which file a line of a chat names, and whether the line is there to name it."""

import re
from dataclasses import dataclass

from polyassay.languages import LANGUAGES
from polyassay.model import Language

LONGEST_LINE = 300
PATH = r"[A-Za-z0-9_./\\-]*[A-Za-z0-9_]"
FILE = rf"({PATH}\.[A-Za-z][A-Za-z0-9]{{0,7}})(?![A-Za-z0-9])"
# Before a name: "File:", "New file 2:", or the word for a file in the prompts' languages.
WORD = (
    r"(?:(?:new |updated )?file ?(?:name)?(?: \d+)?|archivo|文件名?|ファイル名?|файл)\s*[:：]?\s*"
)
LABEL = r"(?:[^\W\d_]+(?: [^\W\d_]+)?(?: \d+)?\s*[:：]\s*)?"
BEHIND = r"\s*(?:[-–—:：(,].*)?"  # what a title says of a file behind its name
ONLY_NAME = re.compile(rf"(?:{WORD})?{FILE}", re.IGNORECASE)
QUOTED = re.compile(rf"`{FILE}`")
LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
AROUND = re.compile(rf"(?:[\s#*`=<>\[\]/\d.:-]|{WORD})*", re.IGNORECASE)
TITLE = re.compile(r"[\s>]*(?:#+\s|\*\*|__|<\w|\|?\s*\||=|-{2,}|\[|[^\w\s`*#>(-])")


@dataclass(frozen=True, slots=True)
class Name:
    path: str  # as the chat writes it
    sure: bool  # else the line may only mention the file


def named_by(line: str, language: Language) -> Name | None:
    """The file that a line names: alone, as a title, before a colon, or as its only one."""
    line = LINK.sub(_target, line.strip()[:LONGEST_LINE])
    bare = _bare(line)
    if only := ONLY_NAME.fullmatch(bare):
        return Name(only[1], True)
    own = rf"({PATH}{re.escape(LANGUAGES[language].suffix)})(?![A-Za-z0-9])"
    if is_title(line) and (titled := re.match(rf"{LABEL}(?:{WORD})?{own}{BEHIND}$", bare, re.I)):
        return Name(titled[1], True)
    quoted = set(QUOTED.findall(line))
    if len(quoted) == 1 and line.endswith((":", "：", "`", "`.", ":**")):
        return Name(quoted.pop(), True)
    mentioned = re.findall(own, bare)
    longest = max(mentioned, key=len, default="")
    if longest and all(longest.endswith(name.lstrip("./")) for name in mentioned):
        return Name(longest, False)
    return None


def parts_by_name(text: str, language: Language) -> tuple[str, list[tuple[str, str]]]:
    """What stands before the first line that is nothing but a file's name, and the named parts."""
    suffix = LANGUAGES[language].suffix
    parts: list[tuple[str, list[str]]] = []
    before: list[str] = []
    for line in text.splitlines(keepends=True):
        name = named_by(line, language) if suffix in line[:LONGEST_LINE] else None
        if name and name.path.endswith(suffix) and _is_bare(line, name):
            parts.append((name.path, []))
        else:
            (parts[-1][1] if parts else before).append(line)
    return "".join(before), [(path, "".join(lines)) for path, lines in parts]


def _is_bare(line: str, name: Name) -> bool:
    """The name and marks alone; a statement of a program is neither."""
    return name.sure and bool(AROUND.fullmatch(line.strip().replace(name.path, "")))


def is_title(line: str) -> bool:
    """A heading, bold text, a rule, a tag: it stands above all that follows it."""
    return bool(TITLE.match(line))


def _target(link: re.Match[str]) -> str:
    return link[2] if re.fullmatch(FILE, link[2]) else link[1]


def _bare(line: str) -> str:
    """Without marks: tags, quotes, bold, numbers of a list, rules, signs."""
    line = re.sub(r"<[^<>]*>|^\s*(?://|/\*)", " ", line).replace("\\_", "_")
    line = re.sub(r"(?<!\w)__(\S.*?)__(?!\w)", r"\1", line)
    line = re.sub(r"[`*\"'“”«»]", "", line)
    line = re.sub(r"^[^\w./\\]+|[^\w)]+$", "", line)
    return re.sub(r"^(?:\d+[.)]\s+)+[^\w./\\]*", "", line)
