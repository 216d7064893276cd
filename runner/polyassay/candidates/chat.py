"""Finds the code in a chat's answer; knows no programming language but by its fences' tags."""

import re
from dataclasses import dataclass

from polyassay.languages import LANGUAGES
from polyassay.model import Language

NO_CODE = "the answer holds no code"
FENCE = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*$")
# The same file can hold what to type into a shell and what a program prints.
NOT_CODE = frozenset(
    (
        *("bash", "sh", "shell", "console", "terminal", "cmd", "powershell", "text", "txt"),
        *("output", "json", "xml", "yaml", "toml", "ini", "markdown", "md", "html", "diff"),
        "plaintext",
    )
)

# What code cannot do without: its signs, a name with a dot or digits in it, a word to begin with.
NEVER_PROSE = re.compile(
    r"[=(){}\[\];<>_`~+*/%&|^@#\\$\"]|\w\.\w|:$|[^\W\d]\d"
    r"|^(assert|async|await|break|case|class|continue|def|del|do|elif|else|except|finally|for|from"
    r"|global|if|import|lambda|match|new|nonlocal|package|pass|print|private|protected|public"
    r"|raise|return|static|switch|throw|try|while|with|yield)\b"
)
SENTENCE = 4  # words
_THOUGHTS_END = re.compile(r"</think(?:ing)?>(?:[ \t\r]*\n)*")


@dataclass(frozen=True, slots=True)
class Block:
    code: str
    tag: str = ""  # the language behind the fence, in lower case
    line: int = 0  # of its fence in the text, from 0


def clean(text: str) -> str:
    """Without the marks that only a text file's start may carry, and without thoughts.

    Some models think aloud before they answer, with drafts that are not their answer. Servers may
    keep the sign that opens the thoughts to themselves.
    """
    text = text.removeprefix("\ufeff")
    end = _THOUGHTS_END.search(text)
    if end is None:
        return text
    opened = text.lstrip().startswith(("<think>", "<thinking>"))
    own_line = not text[: end.start()].rpartition("\n")[2].strip()
    return text[end.end() :] if opened or own_line else text


def has_fence(text: str) -> bool:
    return "```" in text or "~~~" in text


def opens_like_a_chat(text: str) -> bool:
    """Whether a fence comes before any sign of code, comments or texts that could quote it."""
    lines = text.splitlines()
    fence = next((number for number, line in enumerate(lines) if FENCE.match(line)), None)
    return fence is not None and not re.search(r"[{};]|/\*|\"{3}|'{3}", "\n".join(lines[:fence]))


def is_only_prose(text: str) -> bool:
    """Whether no line can be code, as in a refusal; only where that is certain."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if any(NEVER_PROSE.search(line) or not line[0].isalpha() for line in lines):
        return False
    return len(re.findall(r"[^\W\d_]+", text)) >= SENTENCE or bool(re.search("[，。！？]", text))


def code_blocks(text: str, language: Language) -> list[Block]:
    """The fenced blocks that may hold code: tagged with the language, untagged, the others."""
    blocks = fenced_code(text)

    def rank(block: Block) -> int:
        # A version may follow: java17, python3.
        own = block.tag.rstrip("0123456789.") in LANGUAGES[language].fence_tags
        return 0 if own else 1 if not block.tag else 2

    return sorted(blocks, key=rank)


def fenced_code(text: str) -> list[Block]:
    """The fenced blocks that may hold code, in the text's order."""
    return [block for block in _fenced(text) if block.code.strip() and block.tag not in NOT_CODE]


def _fenced(text: str) -> list[Block]:
    """All fenced blocks; one that is never closed reaches to the end of the text."""
    blocks: list[Block] = []
    lines = text.splitlines(keepends=True)
    opened: tuple[int, re.Match[str]] | None = None
    fences = 0
    for number, line in enumerate(lines):
        found = FENCE.match(line.rstrip("\r\n"))
        if found is None:
            continue
        fences += 1
        if opened is None:
            opened = number, found
        elif found[2].startswith(opened[1][2]) and not found[3]:
            blocks.append(_block(lines[opened[0] + 1 : number], *opened))
            opened = None
    if opened is not None:
        start, fence = opened
        after = lines[start + 1 :]
        if fences == 1 and not "".join(after).strip():
            after = lines[:start]  # the prompt held the opening fence, the answer the closing one
        blocks.append(_block(after, start, fence))
    return blocks


def _block(lines: list[str], line: int, fence: re.Match[str]) -> Block:
    """The lines without what stands before the fence: a list's indentation, a quote's marks."""
    margin = fence[1]
    code = "".join(each.removeprefix(margin) for each in lines)
    return Block(code, fence[3].lower(), line)
