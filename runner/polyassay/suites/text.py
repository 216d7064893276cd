"""Reads text and JSON lines, with errors that say where."""

import gzip
import json
import re
import tomllib
import zlib
from collections.abc import Iterator
from pathlib import Path

from polyassay.errors import PolyAssayError, json_reason
from polyassay.suites.native.fields import NOTHING_ADDED, Fields

MARK = "/*~*/"  # stands before and after what was put into a publisher's source


def as_published(source: str) -> str:
    """The source without what was put into it."""
    mark = re.escape(MARK)
    return re.sub(f"{mark}.*?{mark}", "", source)


def read_jsonl(path: Path, *, infinities: bool = False) -> Iterator[tuple[int, object]]:
    """Each line's number, from 1, and value; blank lines are passed over.

    `infinities`: as Python writes them, Infinity and NaN are numbers.
    """
    empty = True
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            empty = False
            yield number, parse_json(line, f"{path}, line {number}", infinities=infinities)
    if empty:
        raise PolyAssayError(f"{path} is empty.", NOTHING_ADDED)


def read_text(path: Path) -> str:
    """A file's text, without a byte order mark; gzip is unpacked."""
    content = b""
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem, hint = f"{path}, line {line}: not UTF-8.", "save the file as UTF-8."
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        problem, hint = f"Cannot read {path}: {reason}.", "check the path after --from."
    raise PolyAssayError(problem, hint)


def read_toml(path: Path) -> Fields:
    try:
        return Fields(str(path), tomllib.loads(read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise PolyAssayError(f"{path}: not TOML: {error}.", NOTHING_ADDED) from None


def parse_json(text: str, where: str, *, infinities: bool = False) -> object:
    """A JSON value; what Python's parser lets through and JSON does not have is refused."""
    constant = None if infinities else _no_constant
    try:
        return json.loads(text, object_pairs_hook=_no_twins, parse_constant=constant)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {json_reason(error)}"
    except (ValueError, RecursionError) as error:
        problem = f"not JSON: {error}"
    raise PolyAssayError(f"{where}: {problem}.", NOTHING_ADDED)


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the field "{twin}" stands there twice')
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
