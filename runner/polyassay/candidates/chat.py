"""Finds the code in a chat's answer; knows no programming language but by its fences' tags."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from polyassay.languages import LANGUAGES
from polyassay.model import Language

_FENCE = r"(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*$"
FENCE = re.compile(rf"([ \t>]*){_FENCE}")
# One may open behind the mark of a list.
_OPENING = re.compile(rf"((?:[ \t>]|(?:[-*+]|\d{{1,3}}[.)])[ \t])*){_FENCE}")
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
# Some models mark their thoughts otherwise than by <think>; servers keep only that one's opening.
_THINK = r"think(?:ing)?"
_TAG = rf"(?:\w+:)?(?:{_THINK}|thoughts?|reasoning|reflection|scratchpad|analysis)"
_THOUGHTS = re.compile(rf"\s*(?:<{_TAG}\b[^<>\n]*>|\[THINK\]|◁think▷)")
_THOUGHTS_END = re.compile(rf"(?:</{_TAG}>|\[/THINK\]|◁/think▷)(?:[ \t\r]*\n)*")
_CHANNEL = re.compile(r"<\|channel\|>\w+(?: \w+)*<\|message\|>")
_SIGN = (  # with which a model or its server begins and ends a text
    r"(?:<\|[\w ]{1,40}\|>|<｜[^｜\n]{1,40}｜>|</?s>|\[DONE\]|\[EOS\]"
    r"|<(?:EOT|eos|bos|end_of_turn|start_of_turn|fim_\w{1,20}|pad|unk)>)"
)
_FIRST_SIGN = re.compile(rf"\s*{_SIGN}(?:(?:assistant|model)\b)?[ \t]*(?:\r?\n|(?=\S))")
_LAST_SIGN = re.compile(rf"{_SIGN}\Z")
_SIGN_ALONE = re.compile(rf"(?m)^[ \t]*{_SIGN}[ \t]*$")
_ELEMENT = re.compile(
    r"(?s)(?:<(answer|solution|code|python|final_answer|response)>(.*?)</\1>"
    r"|\[(PYTHON|ANSWER|CODE|SOLUTION)\](.*?)\[/\3\]"
    r"|<pre>\s*<code[^<>\n]*>(.*?)</code>\s*</pre>)"
)
_ONE_LINE = re.compile(r"(`{1,3})(?:python3?[ ]|py[ ])?([^`\n]+)\1")
_TEXT_KEYS = frozenset(
    (
        *("code", "solution", "answer", "completion", "content", "program", "source"),
        *("response", "function", "implementation", "python", "output", "result", "text"),
    )
)
_ENDS_IN_FENCE = re.compile(r"[^`\s][ \t]{0,80}`{3,}\s*$")
INDENTED = 3  # a fence that stands further in than its opening one is part of the code
PLAIN = frozenset(("text", "txt", "plaintext", "console", "terminal"))  # tags
MARKDOWN = frozenset(("markdown", "md"))  # a fence around a chat


@dataclass(frozen=True, slots=True)
class Block:
    code: str
    tag: str = ""  # the language behind the fence, in lower case
    line: int = 0  # of its fence in the text, from 0


def clean(text: str) -> str:
    """Without the marks that only a text file's start may carry, and without thoughts.

    Some models think aloud before they answer, with drafts that are not their answer. Servers may
    keep the sign that opens the thoughts to themselves. Thoughts that never end are no answer.
    """
    text = text.removeprefix("\ufeff")
    channels = [*_CHANNEL.finditer(text)]
    if channels and _FIRST_SIGN.match(text):
        last = channels[-1]
        return text[last.end() :] if "final" in last[0] else ""
    begin = 0
    while end := _THOUGHTS_END.search(text, begin):
        opened = bool(_THOUGHTS.match(text, begin))
        own_line = not text[begin : end.start()].rpartition("\n")[2].strip()
        if not (opened or (own_line and re.match(rf"</{_THINK}>", end[0]))):
            break
        begin = end.end()
    never_ends = end is None and _THOUGHTS.match(text, begin) and "THINK" in text[begin:].upper()
    return "" if never_ends else text[begin:]


def without_signs(text: str) -> str:
    """Without those with which a model or its server begins and ends a text."""
    while first := _FIRST_SIGN.match(text):
        text = text[first.end() :]
    while last := _LAST_SIGN.search(text.rstrip()[-64:]):
        text = text.rstrip()[: -len(last[0])] + "\n"
    return text


def bare(text: str) -> tuple[str, tuple[str, ...]]:
    """An answer without what servers and models put around it, and what that was."""
    inside = without_signs(text)
    notes = ("a server's signs left out",) if inside != text else ()
    if found := _ONE_LINE.fullmatch(inside.strip()):
        return found[2], notes
    if (said := _from_json(inside)) is not None:
        return said, (*notes, "from JSON")
    return inside, notes


def parts_set_apart(text: str) -> Iterator[str]:
    """What elements hold, and what stands before a sign with which the answer ended."""
    for found in _ELEMENT.finditer(text):
        inside = html.unescape(found[5]) if found[5] is not None else found[2] or found[4] or ""
        yield inside.lstrip("\r\n")
    for block in _fenced(text):
        if block.tag == "json" and (said := _from_json(block.code)):
            yield said
    if alone := _SIGN_ALONE.search(text):
        yield text[: alone.start()]


def _from_json(text: str) -> str | None:
    """The one text that answers, where all of the answer is a JSON string or object."""
    inside = text.strip()
    if fenced := re.fullmatch(r"(?s)```(?:json)?\s*?\n(.*)\n```", inside):
        inside = fenced[1].strip()
    if inside[:1] not in ('"', "{"):
        return None
    try:
        value = json.loads(inside, strict=False)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        texts = [value[key] for key in value if key.lower() in _TEXT_KEYS]
        value = texts[0] if len(texts) == 1 else None
    return value if isinstance(value, str) else None


def has_fence(text: str) -> bool:
    return "```" in text or "~~~" in text


def before_fences(text: str) -> str:
    lines = text.splitlines(keepends=True)
    first = next(
        (n for n, line in enumerate(lines) if FENCE.match(line.rstrip("\r\n"))), len(lines)
    )
    return "".join(lines[:first])


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
    blocks = [block for block in _fenced(text) if block.code.strip()]
    code = [block for block in blocks if block.tag not in NOT_CODE]
    return code or [block for block in blocks if block.tag in PLAIN]


def longer_blocks(text: str, block: Block) -> Iterator[Block]:
    """The block up to each later fence: code may quote fences, in a docstring."""
    lines = text.splitlines(keepends=True)
    opened = _OPENING.match(lines[block.line].rstrip("\r\n"))
    for number in range(block.line + block.code.count("\n") + 2, len(lines)):
        found = FENCE.match(lines[number].rstrip("\r\n"))
        if opened and found and not found[3] and found[2].startswith(opened[2]):
            yield _block(lines[block.line + 1 : number], block.line, opened)


def _fenced(text: str) -> list[Block]:
    """All fenced blocks; one that is never closed reaches to the end of the text."""
    blocks: list[Block] = []
    lines = text.splitlines(keepends=True)
    opened: _Opened | None = None
    fences = 0
    for number, line in enumerate(lines):
        said = line.rstrip("\r\n")
        found = (_OPENING if opened is None else FENCE).match(said)
        fences += found is not None
        if opened is None:
            if found is not None and found[3].lower() not in MARKDOWN:
                opened = _Opened(number, found)
        elif found is None:
            if _ENDS_IN_FENCE.search(said) and said.count("```") % 2:
                opened.loose.append((number, said.rstrip().rstrip("`") + "\n"))
        elif found[2].startswith(opened.fence[2]):
            near = _width(found) <= _width(opened.fence) + INDENTED
            if near and (not found[3] or opened.closed_loosely):
                end = (number, "") if not found[3] else opened.loose[-1]
                blocks.append(opened.block(lines, end))
                opened = _Opened(number, found) if found[3] else None
            elif not found[3]:
                opened.loose.append((number, ""))
    if opened is not None:
        blocks.append(opened.unclosed(lines, fences))
    return blocks


@dataclass(frozen=True, slots=True)
class _Opened:
    """A fence that no other one has closed yet."""

    line: int
    fence: re.Match[str]
    # Where it may end, had it no better end: a line's number, and what of that line is code.
    loose: list[tuple[int, str]] = field(default_factory=list)

    @property
    def closed_loosely(self) -> bool:
        return len(self.loose) % 2 == 1  # fences in a docstring come in pairs

    def unclosed(self, lines: list[str], fences: int) -> Block:
        if fences == 1 and not "".join(lines[self.line + 1 :]).strip():
            # The prompt held the opening fence, the answer the closing one.
            return _block(lines[: self.line], self.line, self.fence)
        return self.block(lines, self.loose[-1] if self.closed_loosely else (len(lines), ""))

    def block(self, lines: list[str], end: tuple[int, str]) -> Block:
        return _block([*lines[self.line + 1 : end[0]], end[1]], self.line, self.fence)


def _width(fence: re.Match[str]) -> int:
    return len(fence[1].expandtabs(4))


def _block(lines: list[str], line: int, fence: re.Match[str]) -> Block:
    """The lines without what stands before the fence: a list's indentation, a quote's marks."""
    margin = re.sub(r"[^\s>]", " ", fence[1])
    marks = margin.count(">")
    first = next((each for each in lines if each.strip()), "")
    if marks:
        code = "".join(re.sub(rf"^(?:[ \t]*>){{{marks}}}[ ]?", "", each) for each in lines)
    elif first.startswith(margin):
        code = "".join(each.removeprefix(margin) for each in lines)
    else:
        code = "".join(lines)
    return Block(code.removeprefix("\ufeff"), fence[3].lower(), line)
