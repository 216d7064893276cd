"""Code that stands beside prose without fences, in a shell's transcript, or with odd spaces."""

import ast
import re
from collections.abc import Iterator

from polyassay.candidates.python.syntax import acts, at_margin, parse
from polyassay.languages import LANGUAGES
from polyassay.model import Language

CODE_START = re.compile(
    r"(?m)^[ \t]*(?:(?:from|import|def|async def|class)\s+\w|@\w|if __name__|\w+\s*=[^=]|#!)"
)
PLAIN_WORDS = re.compile(r"([^\W\d_]+)[,;:]? ([^\W\d_]+)")
# No statement begins so: a list, emphasis, a quoted name, a rule, an element, a foreign letter.
MARKED = re.compile(
    r"[-*+•] \S|\d+[.)] |\*\*|`|([-=*_~])\1{2,}\s*$|</?\w[^<>]*>\s*$|\[/?[A-Z]+\]\s*$|[¡¿]"
    r"|[\u0590-\u08ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_]+['’](?:s|re|ll|ve|d|m|t)\b|[A-Z][\w ]*: *`?O\("
)
TITLE = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*[:：]$")
STATEMENT = re.compile(
    r"(?:and|as|assert|async|await|break|case|class|continue|def|del|elif|else|except|finally|for"
    r"|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|print|raise|return|try|type"
    r"|while|with|yield|None|True|False)\b"
)
SENTENCE = 4  # words
LONG = 100_000  # characters
TRIES = 60  # of one answer, so that megabytes of prose cost seconds
ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
NO_SPACE = re.compile("[\u200b-\u200f\u2060\ufeff]")
PROMPT = re.compile(r">>> |In ?\[\d+\]: ")
SHELL_LINE = re.compile(r"[ \t]*(?:>>> ?|\.\.\.(?: |$)|In ?\[\d+\]: |[ ]+\.\.\.+:(?: |$))(.*)")
LABEL = re.compile(
    r"\s*(?:(?:python3?|py)[ \t]*\r?\n)?(?:Copy(?: code)?[ \t]*\r?\n)?"
    r"(?:[\w./-]+\.py:?[ \t]*\r?\n)?"
)


def without_label(code: str) -> str:
    """Without a fence's tag, a button's name or a file's name that were copied with the code."""
    label = LABEL.match(code)
    return code[label.end() :] if label and label[0].strip() else code


def readable(code: str) -> tuple[str, tuple[str, ...]]:
    """The code as Python reads it, and what was changed for that; as it is where nothing helps."""
    notes: tuple[str, ...] = ()
    if parse(code) is not None:
        return code, notes
    if ODD_SPACE.search(code) or NO_SPACE.search(code):
        plain = _plain_spaces(code)
        if plain != code:
            notes = ("other kinds of spaces replaced",)
            if parse(plain) is not None or parse(at_margin(plain)) is not None:
                return plain, notes
    if PROMPT.match(code.lstrip()):
        typed = _typed(code)
        if parse(typed) is not None:
            return typed, ("a shell's prompts and output left out",)
    return code, ()


def _plain_spaces(code: str) -> str:
    """Python knows one kind of space; texts and comments keep theirs."""
    parts: list[str] = []
    done = 0
    for kept in LANGUAGES[Language.PYTHON].remarks.finditer(code):
        parts += [_spaced(code[done : kept.start()]), kept[0]]
        done = kept.end()
    return "".join((*parts, _spaced(code[done:])))


def _spaced(code: str) -> str:
    return NO_SPACE.sub("", ODD_SPACE.sub(" ", code))


def _typed(code: str) -> str:
    """What was typed into a Python or IPython shell."""
    lines = (SHELL_LINE.match(line) for line in code.splitlines())
    return "".join(f"{line[1]}\n" for line in lines if line)


def beside_prose(text: str) -> Iterator[str]:
    """The regions that Python reads, each from a line that begins like code up to prose.

    No code is left out: what stands before a region must be prose, too. Where nothing is read, it
    is from the first line at the margin that looks like code up to prose, for the error's sake.
    """
    lines = text.splitlines(keepends=True)
    starts = [n for n, line in enumerate(lines) if CODE_START.match(line)]
    ends = [n for n, line in enumerate(lines) if _is_prose(line)] + [len(lines)]
    tries = TRIES if len(text) < LONG else TRIES // 10
    done = 0
    for start in starts:
        if tries < 0:
            break
        if start < done or not all(map(_may_be_left_out, lines[done:start])):
            continue
        for end in (end for end in ends if end > start):
            tries -= 1
            region = at_margin("".join(lines[start:end]))
            tree = parse(region) if tries >= 0 else None
            if tree is not None and acts(tree):
                yield region
                done = end
                break
    if not done:
        start = next((n for n in starts if not lines[n][0].isspace()), 0)
        yield "".join(lines[start : next(end for end in ends if end > start)])


def _may_be_left_out(line: str) -> bool:
    said = line.strip()
    if not said or said[0] == "#" or _is_prose(line) or MARKED.match(said):
        return True
    if line[0].isspace() or parse(f"{said}\n    pass") is not None:
        return False
    words = len(re.findall(r"[^\W\d_]+", said))
    if tree := parse(said):
        return all(isinstance(each, ast.Expr) for each in tree.body) and words == len(said.split())
    return not CODE_START.match(said) or (words >= SENTENCE and not re.search(r"[=(\[{]", said))


def _is_prose(line: str) -> bool:
    """Whether a line that stands at the margin is no part of code, as far as one line can tell."""
    said = line.strip()
    if not said or said[0] == "#" or len(line) - len(line.lstrip()) > 3:
        return False
    if MARKED.match(said):
        return True
    words = PLAIN_WORDS.match(said) or TITLE.match(said)
    return bool(words) and not STATEMENT.match(said) and parse(said) is None
