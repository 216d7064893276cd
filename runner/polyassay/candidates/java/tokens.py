"""Splits Java text into tokens, broken text included, so that edits touch no string or comment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<string>\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
  | (?P<word>[^\W\d][\w$]*|\$[\w$]*)
  | (?P<number>\d[\w.]*)
  | (?P<mark>.)
    """,
    re.DOTALL | re.VERBOSE,
)
# Operators that a token-spaced answer may have split; apart they are never valid side by side.
SPLIT = frozenset(
    (
        *("->", "==", "!=", "<=", ">=", "&&", "||", "::", "<<"),
        *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="),
    )
)
TYPE_WORDS = frozenset(("class", "interface", "enum", "record"))


class Token(NamedTuple):  # there are many, and these are made fast
    kind: str  # word, number, string or mark; spaces and comments are left out
    text: str
    start: int
    depth: int  # how many braces are open around it; a brace belongs to the outside

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Edit:
    start: int
    end: int
    text: str


def tokens(code: str) -> list[Token]:
    found: list[Token] = []
    depth = 0
    for match in TOKEN.finditer(code):
        kind = match.lastgroup or ""
        if kind in ("space", "comment"):
            continue
        text = match[0]
        if text == "}":
            depth -= 1
        found.append(Token(kind, text, match.start(), depth))
        if text == "{":
            depth += 1
    return found


def edited(code: str, edits: Iterable[Edit]) -> str:
    """Applies edits that do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [code[at : edit.start], edit.text]
        at = edit.end
    return "".join((*parts, code[at:]))


def blank(code: str, first: Token, last: Token) -> Edit:
    """Takes tokens away and leaves every line where it is."""
    return Edit(first.start, last.end, re.sub(r"[^\r\n]+", "", code[first.start : last.end]))


def directives(found: list[Token]) -> Iterator[tuple[str, str, range]]:
    """The package and import lines: word, name, and which tokens they are."""
    index = 0
    while index < len(found):
        token = found[index]
        if token.depth == 0 and token.text in ("import", "package"):
            end = next((n for n in range(index, len(found)) if found[n].text == ";"), None)
            if end is None:
                return
            parts = [part.text for part in found[index + 1 : end]]
            # Of static members, or of all that a module has.
            special = [
                word for word in parts[:1] if word in ("static", "module") and parts[1:2] != ["."]
            ]
            name = " ".join([*special, "".join(parts[len(special) :])])
            yield token.text, name, range(index, end + 1)
            index = end
        index += 1


def joined_operators(code: str) -> str:
    """Puts together what a token-spaced answer has split: `- >`, `= =`, `1 . 5`, `. . .`."""
    if not re.search(r"[-=!<>&|:+*/%^.] +[-=>&|:<.\d]|[+-] +[+-] *[;)]", code):
        return code
    found = tokens(code)
    edits: list[Edit] = []
    for index in range(len(found) - 1):
        left, right = found[index], found[index + 1]
        gap = code[left.end : right.start]
        if not gap or gap.strip(" ") or left.kind == "string" or right.kind == "string":
            continue
        following = found[index + 2].text if index + 2 < len(found) else ""
        if _belong_together(left, right, following):
            edits.append(Edit(left.end, right.start, ""))
    return edited(code, edits)


def _belong_together(left: Token, right: Token, following: str) -> bool:
    pair = left.text + right.text
    if pair in SPLIT:
        return True
    if pair in ("++", "--"):
        return following in (";", ")", "]", ",")  # elsewhere it may be a sign
    if pair == ">>":
        return following[:1].isdigit()  # elsewhere it may close type arguments
    if pair == ".." and following != "(":
        return True
    number = left.kind == "number" and right.text == "." and following[:1].isdigit()
    return number or (left.text == "." and right.kind == "number")


def missing_closers(code: str) -> int:
    """How many braces are still open at the end; negative where too many were closed."""
    found = tokens(code)
    if not found:
        return 0
    last = found[-1]
    return last.depth + (1 if last.text == "{" else 0)


def without_extra_closers(code: str) -> str:
    """Up to the first brace that closes more than was opened, where only such follow."""
    found = tokens(code)
    first = next((n for n, t in enumerate(found) if t.depth < 0), None)
    if first is None or any(token.text not in ("}", ";") for token in found[first:]):
        return code
    return code[: found[first].start].rstrip() + "\n"


def without_package(code: str) -> str:
    return re.sub(r"\A\s*package\s+[\w.]+\s*;", "", code)


def last_method(context: str) -> str:
    """The head of the method that a context leaves open, with its comment."""
    return context[len(without_last_method(context)) :].rstrip().removesuffix("{").strip()


def without_last_method(context: str) -> str:
    """A context up to the method that it leaves open; empty where it leaves none."""
    found = tokens(context)
    if not found or found[-1].text != "{":
        return ""
    ends = [t.end for t in found[:-1] if t.text in (";", "{", "}") and t.depth <= 1]
    return context[: ends[-1]] if ends else ""
