"""Reads answer files record by record, so that every complaint names its line."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from polyassay.errors import PolyAssayError, json_reason
from polyassay.model import AnswerForm
from polyassay.wording import probable_typos, stopped

TABLE = ".csv"
LONGEST_CELL = 1 << 22  # characters of a CSV file's cell; longer answers are not read anyway
WHOLE = ("sample",)  # fields of CSV files that are numbers
TEXTS = ("answer", "completion", "solution", "code")  # which may be empty there
SHOWN = 60  # characters of a wrong value that a complaint repeats


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer as its file has it, before it is matched with a task."""

    where: str  # "answers/a.jsonl, line 14"
    task: str
    answer: str
    form: AnswerForm = AnswerForm.ANSWER
    tool: str = ""
    sample: int | None = None
    prompt_language: str = ""
    suite: str = ""
    files: Mapping[str, str] = field(default_factory=dict)  # path → text, instead of one answer
    variant: str = ""  # how it was asked for, where that makes a tool of its own
    origin: Mapping[str, Any] | None = None  # where it comes from, as `generate` records it


@dataclass(frozen=True, slots=True)
class Stray:
    """A file of a folder that is no task's answer; counted and named, and else left alone."""

    where: str


@dataclass(frozen=True, slots=True)
class BadRecord:
    """What is wrong with one record; the others can still be read."""

    where: str
    problem: str

    def __str__(self) -> str:
        return stopped(f"{self.where}: {self.problem}")


class Unreadable(Exception):
    """Says what is wrong with the record at hand; becomes a BadRecord."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a JSONL file, or one item of a JSON list."""

    where: str
    value: object

    def get(self, name: str) -> object:
        if not isinstance(self.value, dict):
            raise Unreadable(f"must be an object, found {shown(self.value)}")
        return self.value.get(name)

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise Unreadable(_wrong(name, "text", value, present=self._has(name)))
        return value

    def text_or(self, name: str, default: str) -> str:
        return default if self.get(name) is None else self.text(name)

    def name(self, name: str) -> str:
        """A task's id: text, or a whole number as AixBench and MBPP have it."""
        value = self.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(name)

    def count_or_none(self, name: str) -> int | None:
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise Unreadable(_wrong(name, "a whole number", value, present=True))
        return value

    def text_map(self, name: str) -> dict[str, str]:
        """An object of texts, empty where it is missing."""
        value = self.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise Unreadable(_wrong(name, "an object of texts", value, present=True))
        return value

    def object_or_none(self, name: str) -> Mapping[str, Any] | None:
        value = self.get(name)
        if value is not None and not isinstance(value, dict):
            raise Unreadable(_wrong(name, "an object", value, present=True))
        return value

    def refuse_typos(self, known: Set[str]) -> None:
        """Refuses an unknown field that looks like one that is not there."""
        for name, hint in probable_typos(self.value if isinstance(self.value, dict) else (), known):
            raise Unreadable(f'"{name}" is not a field of an answer; {hint.strip()}')

    def _has(self, name: str) -> bool:
        return isinstance(self.value, dict) and name in self.value

    def texts(self, name: str) -> list[str]:
        return texts(self.get(name), name)


def texts(value: object, name: str) -> list[str]:
    """A list of texts, or a complaint about the field of this name."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Unreadable(_wrong(name, "a list of texts", value, present=value is not None))
    return value


def shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _wrong(name: str, wanted: str, value: object, *, present: bool) -> str:
    return f'"{name}" must be {wanted}, found {shown(value)}' if present else f'"{name}" is missing'


class AnswerFile:
    """A JSONL or CSV file or one JSON list, plain or gzipped. Only a list is held as a whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_list = False
        self._items: list[object] | None = None
        with self._open() as stream:
            start = self._first_byte(stream)
        if not start:
            raise PolyAssayError(f"{path} is empty.", hint="Is it the right file?")
        self._is_table = is_table(path)
        if start == b"[" and not self._is_table:
            self._load_list()

    def first(self, count: int = 50) -> list[object]:
        """The values of the first good records: enough to tell the format."""
        found = (item.value for item in self.records() if isinstance(item, Record))
        return list(islice(found, count))

    def records(self) -> Iterator[Record | BadRecord]:
        if self._items is not None:
            for index, value in enumerate(self._items):
                yield Record(f"{self.path}, item {index}", value)
            return
        with self._open() as stream:
            yield from self._rows(stream) if self._is_table else self._lines(stream)

    def _rows(self, stream: IO[bytes]) -> Iterator[Record | BadRecord]:
        """A table's lines as objects; the first one names the fields, and an empty cell is none."""
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        csv.field_size_limit(LONGEST_CELL)
        try:
            head, line = text.readline(), 2
            while not head.strip(" \t\r\n"):  # the file is not empty
                head, line = text.readline(), line + 1
            before = line
            between = max(",;\t", key=head.count)  # spreadsheets of some countries write ;
            names = next(csv.reader([head], delimiter=between))
            rows = csv.reader(text, delimiter=between)
            for row in rows:
                if any(row):
                    yield _row(f"{self.path}, line {line}", names, row)
                line = rows.line_num + before
        except (OSError, EOFError, zlib.error, csv.Error) as error:
            raise _broken(self.path, error) from error
        except UnicodeDecodeError as error:
            raise _broken(self.path, "is not UTF-8") from error

    def _lines(self, stream: IO[bytes]) -> Iterator[Record | BadRecord]:
        lines = enumerate(stream, start=1)
        while True:
            try:
                number, line = next(lines)
            except StopIteration:
                return
            except (OSError, EOFError, zlib.error) as error:
                raise _broken(self.path, error) from error
            if line.strip(b" \t\r\n\xef\xbb\xbf"):
                yield _record(f"{self.path}, line {number}", line)

    def _load_list(self) -> None:
        """Takes the file as one JSON value; a JSONL file whose lines are lists stays as it is."""
        try:
            with self._open() as stream:
                value = json.loads(stream.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise _broken(self.path, "is not UTF-8") from error
        except (ValueError, RecursionError) as error:
            problem = f"{self.path} starts like a JSON list but is none: {_reason(error)}."
            raise PolyAssayError(problem, hint="Is it cut off?") from error
        self.is_list = True
        self._items = value
        if not value:
            raise PolyAssayError(f"{self.path} is an empty list.", hint="Is it the right file?")

    def _open(self) -> IO[bytes]:
        try:
            stream: IO[bytes] = self.path.open("rb")
        except OSError as error:
            raise _broken(self.path, error) from error
        if stream.read(2) == b"\x1f\x8b":
            stream.close()
            return cast(IO[bytes], gzip.open(self.path, "rb"))
        stream.seek(0)
        return stream

    def _first_byte(self, stream: IO[bytes]) -> bytes:
        try:
            while block := stream.read(1 << 16):
                if rest := block.lstrip(b"\xef\xbb\xbf \t\r\n"):
                    return rest[:1]
        except (OSError, EOFError, zlib.error) as error:
            raise _broken(self.path, error) from error
        return b""


def is_table(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(TABLE)


def read_text(path: Path) -> str | BadRecord:
    """A source file's text as it is, line ends included."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return BadRecord(str(path), "is not UTF-8")
    except OSError as error:
        raise _broken(path, error) from error


def _row(where: str, names: list[str], row: list[str]) -> Record | BadRecord:
    if len(row) > len(names):
        return BadRecord(where, f"has {len(row)} cells, and the first line names {len(names)}")
    cells = {name.strip().lower(): cell for name, cell in zip(names, row, strict=False)}
    cells = {name: cell for name, cell in cells.items() if cell or name in TEXTS}
    whole = {name: int(cell) for name, cell in cells.items() if name in WHOLE and cell.isdecimal()}
    return Record(where, cells | whole)


def _record(where: str, line: bytes) -> Record | BadRecord:
    try:
        return Record(where, json.loads(line.decode("utf-8-sig").rstrip()))
    except UnicodeDecodeError:
        return BadRecord(where, "is not UTF-8")
    except (ValueError, RecursionError) as error:
        return BadRecord(where, f"is not JSON ({_reason(error)})")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return json_reason(error)
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:SHOWN]


def _broken(path: Path, why: object) -> PolyAssayError:
    reason = why.strerror if isinstance(why, OSError) and why.strerror else why
    return PolyAssayError(f"{path} cannot be read: {reason}.", hint="Nothing was run.")
