"""Other ways to set files apart in a chat, rewritten as fenced blocks below their names.

Elements with a path, JSON with paths and texts, files that a shell command writes, and lines with
a name between unfenced files.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from polyassay.candidates.chat import FENCE, has_fence
from polyassay.candidates.solution.naming import FILE, parts_by_name
from polyassay.model import Language

ELEMENT = re.compile(
    rf"<(\w+)\b[^<>\n]*\b(?:path|name|filename|file|title)\s*=\s*[\"']{FILE}[\"'][^<>\n]*>"
    r"\s*?\n?(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?\s*</\1>",
    re.DOTALL,
)
NESTED = re.compile(
    rf"<(\w+)>\s*<(path|name|filename|file)>\s*{FILE}\s*</\2>\s*<(\w+)>\s*?\n?"
    r"(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?\s*</\4>\s*</\1>",
    re.DOTALL,
)
# cat > FILE <<'EOF' … EOF, or the other way round
WRITTEN = re.compile(
    rf"^[ \t]*(?:(?:cat|tee)\b[^\n<]*?{FILE}[\"']?\s*<<-?\s*[\"']?(\w+)[\"']?"
    rf"|cat\s*<<-?\s*[\"']?(\w+)[\"']?\s*>\s*[\"']?{FILE}[\"']?)[ \t]*\n"
    r"(.*?)^[ \t]*(?:\2|\3)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
JSON = re.compile(r"^(?:```|~~~)json\s*?\n(.*?)^(?:```|~~~)\s*?$", re.DOTALL | re.MULTILINE)
PATHS = ("path", "file", "filename", "file_name", "filepath", "file_path", "name")
TEXTS = ("content", "contents", "code", "text", "source")


def as_fenced(text: str, language: Language) -> str:
    """The text, with each file that it sets apart otherwise in a fenced block."""
    if files := dict(_json_files(text)):
        return "".join(_block(path, code) for path, code in files.items())
    text = JSON.sub(_json_block, text)
    text = NESTED.sub(lambda one: _block(one[3], one[5]), ELEMENT.sub(_element, text))
    text = _without_shell(text)
    return text if has_fence(text) else _between_names(text, language)


def _block(path: str, code: str) -> str:
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"\n\n{path}\n{fence}\n{code.strip(chr(10))}\n{fence}\n"


def _element(found: re.Match[str]) -> str:
    return found[0] if has_fence(found[3]) else _block(found[2], found[3])


def _json_block(found: re.Match[str]) -> str:
    blocks = [_block(path, code) for path, code in _json_files(found[1])]
    return "".join(blocks) or found[0]


def _json_files(text: str) -> Iterator[tuple[str, str]]:
    if text.lstrip()[:1] not in ("{", "["):
        return
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, Mapping):
        value = value.get("files", value)
    if isinstance(value, Mapping):
        value = [{"path": path, "content": content} for path, content in value.items()]
    for row in value if isinstance(value, list) else ():
        if not isinstance(row, Mapping):
            continue
        path = next((row[key] for key in PATHS if isinstance(row.get(key), str)), "")
        code = next((row[key] for key in TEXTS if isinstance(row.get(key), str)), None)
        if code is not None and re.fullmatch(FILE, path):
            yield path, code


def _without_shell(text: str) -> str:
    """Files that `cat` writes, out of the blocks whose commands write them."""
    if "<<" not in text:
        return text
    lines = text.splitlines(keepends=True)
    parts: list[str] = []
    opened: int | None = None
    for number, line in enumerate(lines):
        mark = FENCE.match(line.rstrip("\r\n"))
        if mark is None and opened is None:
            parts.append(line)
        elif mark is not None and opened is None:
            opened = number
        elif mark is not None and not mark[3] and opened is not None:
            parts.append(_written("".join(lines[opened : number + 1])))
            opened = None
    if opened is not None:
        parts.append(_written("".join(lines[opened:])))
    whole = "".join(parts)
    return whole if has_fence(whole) else _written(whole)


def _written(text: str) -> str:
    files = WRITTEN.finditer(text)
    return "".join(_block(file[1] or file[4], file[5]) for file in files) or text


def _between_names(text: str, language: Language) -> str:
    """Unfenced files below lines that are nothing but their names."""
    before, parts = parts_by_name(text, language)
    if not parts:
        return text
    blocks = [_block(path, code) for path, code in parts]
    return "".join((_block("", before) if before.strip() else "", *blocks))
