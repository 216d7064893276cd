"""One reader per format in which people already have answers, and how to tell them apart."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from polyassay.candidates.aider_runs import is_aider_run, read_aider_run
from polyassay.candidates.code_folder import by_number, is_code_folder, read_code_folder
from polyassay.candidates.positions import read_bigcode, read_exeds, read_odex
from polyassay.candidates.records import (
    AnswerFile,
    BadRecord,
    RawAnswer,
    Record,
    Stray,
    Unreadable,
    read_text,
)
from polyassay.model import AnswerForm, Suite

Item = RawAnswer | BadRecord | Stray
Suites = Mapping[str, Suite]
Fields = frozenset[str]
NATIVE_FIELDS = frozenset(
    (
        *("task", "answer", "files", "tool", "sample", "prompt_language", "suite"),
        *("form", "origin"),
    )
)
FORMS = ("answer", "completion")  # what a native answer may say of itself


@dataclass(frozen=True, slots=True)
class Format:
    about: str  # completes "it would be NAME if …"
    fits: Callable[[list[object]], bool]  # from a file's first records
    read: Callable[[AnswerFile, Suites], Iterator[Item]]
    fits_folder: Callable[[Path, Suites], bool] | None = None  # where a folder is the file
    read_folder: Callable[[Path, Suites], Iterator[Item]] | None = None


def _from_records(parse: Callable[[Record], RawAnswer]) -> Callable[..., Iterator[Item]]:
    """A reader for files in which each record is one answer."""

    def read(file: AnswerFile, _suites: Suites) -> Iterator[Item]:
        for item in file.records():
            if isinstance(item, BadRecord):
                yield item
                continue
            try:
                yield parse(item)
            except Unreadable as error:
                yield BadRecord(item.where, str(error))

    return read


def _native(record: Record) -> RawAnswer:
    record.refuse_typos(NATIVE_FIELDS)
    files = record.text_map("files")
    if files and record.get("answer"):
        raise Unreadable('must have "answer" or "files", and has both')
    return RawAnswer(
        record.where,
        record.name("task"),
        "" if files else record.text("answer"),
        _form(record),
        tool=record.text_or("tool", ""),
        sample=record.count_or_none("sample"),
        prompt_language=record.text_or("prompt_language", ""),
        suite=record.text_or("suite", ""),
        files=files,
        origin=record.object_or_none("origin"),
    )


def _form(record: Record) -> AnswerForm:
    form = record.text_or("form", "answer")
    if form not in FORMS:
        raise Unreadable(f'"form" must be {" or ".join(FORMS)}, found "{form}"')
    return AnswerForm(form)


def _completion(record: Record) -> RawAnswer:
    text = record.text("completion")
    return RawAnswer(record.where, record.name("task_id"), text, AnswerForm.COMPLETION)


def _evalplus(record: Record) -> RawAnswer:
    if record.get("solution") is None:
        return _completion(record)
    text = record.text("solution")
    return RawAnswer(record.where, record.name("task_id"), text, AnswerForm.PROGRAM)


def _aixbench(record: Record) -> RawAnswer:
    return RawAnswer(record.where, record.name("task_id"), record.text("code"))


def _evalplus_folder(folder: Path, suites: Suites) -> Iterator[Item]:
    """HumanEval_0/0.py is sample 0 of HumanEval/0."""
    ids = {task.id.replace("/", "_"): task.id for s in suites.values() for task in s.tasks}
    for path in sorted(folder.glob("*/*"), key=_by_number):
        if path.suffix not in (".py", ".java"):
            continue
        text, task = read_text(path), path.parent.name
        if isinstance(text, BadRecord):
            yield text
            continue
        sample = int(path.stem) if path.stem.isdecimal() else None
        yield RawAnswer(str(path), ids.get(task, task), text, AnswerForm.PROGRAM, sample=sample)


def _aixbench_folder(folder: Path, _suites: Suites) -> Iterator[Item]:
    """GenerateMethod17.java or AixcoderOld17.java is the answer to 17."""
    for path in sorted(folder.glob("*.java"), key=_by_number):
        text, number = read_text(path), re.search(r"\d+$", path.stem)
        if isinstance(text, BadRecord):
            yield text
            continue
        task = number[0] if number else path.name
        yield RawAnswer(str(path), task, text, AnswerForm.PROGRAM)


def _by_number(path: Path) -> list[tuple[int, str]]:
    return by_number(str(path))


def _has_names(pattern: str) -> Callable[[Path, Suites], bool]:
    """Whether a file or folder on the first two levels is named like this."""

    def fits(folder: Path, _suites: Suites) -> bool:
        near = (path for glob in ("*", "*/*") for path in folder.glob(glob))
        return any(re.fullmatch(pattern, path.relative_to(folder).as_posix()) for path in near)

    return fits


def _no_file(_first: list[object]) -> bool:
    return False


def _not_a_file(file: AnswerFile, _suites: Suites) -> Iterator[Item]:
    yield BadRecord(str(file.path), "is a file, and this format is a folder of code files")


def _all_have(*names: str) -> Callable[[list[object]], bool]:
    return lambda first: all(isinstance(v, dict) and v.keys() >= set(names) for v in first)


def _any_has(name: str) -> Callable[[list[object]], bool]:
    return lambda first: any(isinstance(v, dict) and name in v for v in first)


def _fits_mxeval(first: list[object]) -> bool:
    return _all_have("task_id", "completion", "language")(first)


def _fits_evalplus(first: list[object]) -> bool:
    return _any_has("solution")(first) and _all_have("task_id")(first)


def _fits_human_eval(first: list[object]) -> bool:
    taken = _fits_mxeval(first) or _fits_evalplus(first)
    return not taken and _all_have("task_id")(first) and _any_has("completion")(first)


def _fits_bigcode(first: list[object]) -> bool:
    return all(isinstance(value, list) for value in first)


FILES = "files"  # a folder of code files

FORMATS: dict[str, Format] = {
    "native": Format(
        'each line had "task" and "answer"',
        lambda first: (
            _any_has("task")(first) and (_any_has("answer")(first) or _any_has("files")(first))
        ),
        _from_records(_native),
    ),
    "human-eval": Format(
        'each line had "task_id" and "completion"', _fits_human_eval, _from_records(_completion)
    ),
    "evalplus": Format(
        'each line had "task_id" and "solution", or if there were files HumanEval_0/0.py',
        _fits_evalplus,
        _from_records(_evalplus),
        _has_names(r"[^/]+_\d+/[^/]+\.(py|java)"),
        _evalplus_folder,
    ),
    "mxeval": Format(
        'each line had "task_id", "completion" and "language"',
        _fits_mxeval,
        _from_records(_completion),
    ),
    "aixbench": Format(
        'each line had "task_id" and "code", or if there were classes GenerateMethod0.java',
        lambda first: _all_have("task_id", "code")(first),
        _from_records(_aixbench),
        _has_names(r"[A-Za-z_]+\d+\.java"),
        _aixbench_folder,
    ),
    "bigcode": Format("it were a JSON list of lists of texts", _fits_bigcode, read_bigcode),
    "odex": Format('each record had "predictions"', _all_have("predictions"), read_odex),
    "exeds": Format(
        'each record had "target" and "generation"', _all_have("target", "generation"), read_exeds
    ),
    "aider": Format(
        "it were a folder with exercises like java/exercises/practice/TASK",
        _no_file,
        _not_a_file,
        is_aider_run,
        read_aider_run,
    ),
    FILES: Format(
        "it were a folder with files like TASK.py, TASK/0.py, TASK/sample-0/Foo.java or TASK.md",
        _no_file,
        _not_a_file,
        is_code_folder,
        read_code_folder,
    ),
}
