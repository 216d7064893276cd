"""Which reader a file or folder of answers needs, told by its names and its first records."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from polyassay.candidates.formats import FORMATS, Item
from polyassay.candidates.records import TABLE, AnswerFile, BadRecord, Stray, is_table
from polyassay.errors import PolyAssayError
from polyassay.model import Suite
from polyassay.wording import probable_typos

ANSWER_FILES = tuple(kind + packed for kind in (".jsonl", ".json", TABLE) for packed in ("", ".gz"))
# Words that people use for the two fields that an answer must have.
SAME_MEANING = {
    "task": ("task_id", "id", "name", "problem"),
    "answer": ("response", "completion", "code", "solution", "output", "text"),
}
_SIMPLEST = (
    'Most simply, each line of a .jsonl file is an object with "task" and "answer", or a .csv file '
    "has these columns; docs/answers.md has every format."
)


def open_answers(
    place: Path, suites: Mapping[str, Suite], name: str | None
) -> Iterator[tuple[str, Path, Iterator[Item]]]:
    """The readers of a place: one for a file, one or more for a folder; with what each reads.

    A table beside files of answers that holds none itself has no reader, and is counted as stray.
    """
    if name is not None and name not in FORMATS:
        known = ", ".join(FORMATS)
        raise PolyAssayError(f'There is no format "{name}".', hint=f"Known are {known}.")
    if not place.exists():
        raise PolyAssayError(f"There is no {place}.", hint="Nothing was run. Is the path right?")
    if not place.is_dir():
        yield _open_file(place, suites, name)
        return
    if (found := _folder_format(place, suites, name)) is not None:
        read_folder = FORMATS[found].read_folder
        assert read_folder is not None  # _folder_format looks for nothing else
        yield found, place, read_folder(place, suites)
        return
    files = [p for p in sorted(place.rglob("*")) if p.is_file() and _may_hold_answers(p, place)]
    if not files:
        raise PolyAssayError(
            f"{place} holds no answers that are known here.",
            hint="Files may be JSONL, JSON, CSV, AixBench classes, HumanEval_0/0.py, or TASK.py "
            "and TASK/0.java with the tasks' ids (TASK.md for chats); see --format.",
        )
    others = [file for file in files if name is None and _is_other_table(file)]
    for file in files:
        if file in others and len(others) < len(files):
            yield "", file, iter([Stray(str(file))])
        else:
            yield _open_file(file, suites, name)


def _may_hold_answers(path: Path, folder: Path) -> bool:
    """What is hidden is no tool's: `.polyassay`, `.git`, an editor's own."""
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.name.endswith(ANSWER_FILES) and not hidden


def _is_other_table(path: Path) -> bool:
    """Whether a table beside answers holds none, as one of scores does."""
    if not is_table(path):
        return False
    first = AnswerFile(path).first()
    return bool(first) and not _fitting(first) and not _meant(first[0])


def _folder_format(folder: Path, suites: Mapping[str, Suite], name: str | None) -> str | None:
    for key, known in FORMATS.items():
        if name in (None, key) and known.fits_folder and known.fits_folder(folder, suites):
            return key
    return None


def _open_file(
    path: Path, suites: Mapping[str, Suite], name: str | None
) -> tuple[str, Path, Iterator[Item]]:
    file = AnswerFile(path)
    if name is None:
        name = _tell(file)
    return name, path, FORMATS[name].read(file, suites)


def _tell(file: AnswerFile) -> str:
    first = file.first()
    if not first:
        bad = next((item for item in file.records() if isinstance(item, BadRecord)), None)
        if bad is None:
            problem = f"{file.path} has a header and no answers."
            raise PolyAssayError(problem, hint="Nothing was run. Is it the right file?")
        raise PolyAssayError(
            str(bad), hint=f"No line of it can be read; nothing was run. {_SIMPLEST}"
        )
    fitting = _fitting(first)
    if len(fitting) == 1:
        return fitting[0]
    value = first[0]
    looks = type(value).__name__
    if isinstance(value, dict):
        looks = f"objects with {', '.join(value) or 'no fields'}"
    if fitting:
        hint = f"It may be {' or '.join(fitting)}: say which with --format."
        raise PolyAssayError(f"{file.path}: its format cannot be told; it holds {looks}.", hint)
    hint = _meant(value) or f"{_SIMPLEST} `polyassay run --format` takes {', '.join(FORMATS)}."
    raise PolyAssayError(f"{file.path} is in no known format: it holds {looks}.", hint)


def _fitting(first: list[object]) -> list[str]:
    return [name for name, known in FORMATS.items() if known.fits(first)]


def _meant(record: object) -> str:
    """What fields with a slip of the pen, or with a word of the same meaning, should be called."""
    if not isinstance(record, dict):
        return ""
    fields = {name for known in FORMATS.values() for name in re.findall('"([a-z_]+)"', known.about)}
    if typos := [f'For "{name}": {hint.strip()}' for name, hint in probable_typos(record, fields)]:
        return " ".join(typos)
    renamed = []
    for right, others in SAME_MEANING.items():
        if right not in record:
            other = next((name for name in others if name in record), None)
            if other is None:
                return ""
            renamed.append(f'"{other}" to "{right}"')
    return f"Rename {' and '.join(renamed)}; nothing was run." if renamed else ""
