"""Hides what gives a tool away: its name and the names of well-known tools, in code and comments.

A name is found however it is written (`GitHub-Copilot`, `githubCopilot`), with the version that
follows it (`-7B-Instruct`). Every item has a mask of its own, because a mask that comes again tells
that the tool does; all masks have one length, because lengths tell tools apart too. A name that is
also an ordinary word of the tasks, or that several tools use in their code, tells nothing there and
stays: masking `empty` in `isEmpty()` would only spoil the code. In comments and strings it goes all
the same.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from unicodedata import category

from polyassay.languages import LANGUAGES, LanguageRow
from polyassay.model import Language

# Names of trees stand where a tool named itself: one an item, drawn anew for each.
TREES = (
    *("abele", "acana", "alder", "aspen", "balsa", "beech", "birch", "bunya", "carob", "cedar"),
    *("ceiba", "ebony", "elder", "ficus", "guava", "hazel", "holly", "huito", "jambu", "judas"),
    *("karri", "larch", "lemon", "lilac", "limba", "mango", "maple", "mulga", "myrrh", "nyssa"),
    *("olive", "osier", "papaw", "peach", "pecan", "pinon", "plane", "roble", "rowan", "salal"),
    *("sumac", "tilia", "tulip", "wenge", "yucca"),
)
MASK = re.compile(r"•\w{5}•")
# Assistants that name themselves in comments, whatever the tool is called here.
WELL_KNOWN = (
    *("github copilot", "copilot", "aixcoder", "aixcode", "chatgpt", "openai", "codex"),
    *("claude", "anthropic", "gemini", "codey", "code llama", "llama", "tabnine", "amazon q"),
    *("codewhisperer", "starcoder", "deepseek", "qwen", "tongyi", "通义灵码", "codegeex"),
    *("codegen", "incoder", "polycoder", "codeium", "ghostwriter", "mistral", "codestral"),
    *("phind", "wizardcoder", "ernie", "comate", "文心快码"),
)
LONGEST = 100_000  # characters of an answer that anyone would read
SHORT = 3  # shorter names are too common as words to be masked
DISTINCT = 6  # names as long as this are masked inside longer words too
UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
VERSIONED = r"(?i:gpt[-_ ]?\d[\w.]*)"
# What follows a name and tells which of its versions it was; in code, a minus is a minus.
SUFFIX = (
    r"(?i:[-_. ]?(?:v?\d+(?:\.\d+)*[a-z]?(?![a-z])"
    r"|(?:base|chat|coder|flash|instruct|large|lite|max|mini|nano|plus|preview|pro|small|turbo"
    r"|haiku|opus|sonnet)(?![a-z])))*"
)
SUFFIX_IN_CODE = r"(?:_?[vV]?\d\w*)?"


class Blinder:
    """Knows the words that must not be seen."""

    def __init__(
        self, language: Language, answers: Mapping[str, Iterable[str]], tasks: Iterable[str]
    ) -> None:
        """`answers` are each tool's codes, `tasks` the words of the tasks themselves."""
        self._language = LANGUAGES[language]
        names = {*answers, *(word for tool in answers for word in _words(tool)), *WELL_KNOWN}
        hidden = [name for name in names if len(name) >= SHORT]
        told = "\n".join(tasks).lower()
        codes = [self._plain_code(codes).lower() for codes in answers.values()]
        telling = [
            name
            for name in hidden
            if name.lower() not in told and sum(name.lower() in code for code in codes) < 2
        ]
        self._in_remarks = _pattern(hidden, SUFFIX)
        self._in_code = _pattern(telling, SUFFIX_IN_CODE)

    def hide(
        self,
        code: str,
        expected_class: str = "",
        mask: str = "•rowan•",
        paths: Collection[str] = (),
    ) -> str:
        """The code as a grader may see it, with a mask where a tool is named.

        `paths` are the files that the task asks for: an answer did not choose their paths, packages
        and names, so these tell nothing, and the files name each other by them.
        """
        shown = printable(code)
        if not paths:
            shown = _without_place(shown, expected_class, self._language)
        return "".join(
            text
            if remark and text.lstrip("/# ") in paths
            else (self._in_remarks if remark else self._in_code).sub(mask, text)
            for remark, text in self._pieces(shown)
        )

    def _pieces(self, code: str) -> Iterator[tuple[bool, str]]:
        """Stretches of the code, and whether each is a comment or a string."""
        end = 0
        for found in self._language.remarks.finditer(code):
            yield False, code[end : found.start()]
            yield True, found[0]
            end = found.end()
        yield False, code[end:]

    def _plain_code(self, codes: Iterable[str]) -> str:
        return "\n".join(
            text for code in codes for remark, text in self._pieces(code) if not remark
        )


def printable(text: str) -> str:
    """Without what could command a terminal or turn its direction, and not longer than useful."""
    if len(text) > LONGEST:
        text = text[:LONGEST] + f"\n… and {len(text) - LONGEST} more characters"
    text = text.replace("\r\n", "\n").expandtabs(4)
    return "".join(c if c == "\n" or category(c) not in UNPRINTABLE else "\ufffd" for c in text)


def mask_of(secret: str, item: object) -> str:
    """An item's own mask; without the secret nobody can tell which tools have which masks."""
    drawn = hashlib.sha256(f"{secret}\0{item!r}".encode("utf-8", "surrogatepass")).digest()
    return f"•{TREES[int.from_bytes(drawn[:4]) % len(TREES)]}•"


def _words(name: str) -> list[str]:
    """The words of a compound name that are telling on their own: no numbers, none too short."""
    return [word for word in re.split(r"[^A-Za-z\u0080-\uffff]+", name) if len(word) > SHORT]


def _pattern(names: Iterable[str], suffix: str) -> re.Pattern[str]:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(f"(?:{'|'.join([VERSIONED, *map(_spellings, ordered)])}){suffix}")


def _spellings(name: str) -> str:
    """Any case, any separator between its parts; a short name only as a part of a word."""
    parts = [part for part in re.split(r"[\s_.\-]+", name) if part]
    spelled = r"[\s_.\-]*".join(map(re.escape, parts))
    if len(name) >= DISTINCT or not name.isascii():
        return f"(?i:{spelled})"
    capital = r"[\s_.\-]*".join(re.escape(part.capitalize()) for part in parts)
    return rf"(?:(?<![A-Za-z])(?i:{spelled})|(?<=[a-z]){capital})(?![a-z])"


def _without_place(code: str, expected: str, language: LanguageRow) -> str:
    """Without what follows from the file's path, and so from its tool: a package, a class name."""
    if language.telling_line:
        code = language.telling_line.sub("", code, count=1)
    found = language.telling_name.search(code) if language.telling_name else None
    if found is None or found[1] == expected:
        return code
    return re.sub(rf"\b{re.escape(found[1])}\b", "Answer", code)
