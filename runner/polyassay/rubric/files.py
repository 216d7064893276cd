"""Scores as CSV and JSONL: every row of a file is checked before any of it counts."""

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Task
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score
from polyassay.store.scores import Event, EventKind
from polyassay.wording import did_you_mean

COLUMNS = (
    *("suite", "task", "tool", "prompt_language", "sample"),
    *("grader", "dimension", "score", "comment"),
)
OPTIONAL = {"prompt_language", "sample", "comment", "showing", "decision"}  # may be missing
MAX_SAMPLE = 2**31 - 1
LONGEST, LONGEST_LANGUAGE = 200, 20  # of names, as the store has them

Tasks = Mapping[str, Task]  # task id → task


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the file."""

    number: int  # from 1, the header not counted
    line: int  # the line on which it ends
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    number: int
    line: int
    problem: str
    values: Mapping[str, Any] = field(default_factory=dict)  # as far as it could be read

    def __str__(self) -> str:
        return f"row {self.number} (line {self.line}): {self.problem}"


@dataclass(frozen=True, slots=True)
class Checked:
    scores: tuple[tuple[Row, Score], ...]
    bad: tuple[BadRow, ...]


def read_rows(content: bytes, place: str, jsonl: bool) -> Iterator[Row | BadRow]:
    """The rows of a file, bytes that are not UTF-8 told by the row that holds them."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise PolyAssayError(
            f"{place} is UTF-16, not UTF-8.", hint="Save it as UTF-8 and import it again."
        )
    text = content.decode("utf-8-sig", "surrogateescape")
    yield from _jsonl_rows(text) if jsonl else _csv_rows(text, place)


def _csv_rows(text: str, place: str) -> Iterator[Row | BadRow]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = _header(next(reader, []), place)
    number = 0
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadRow(number + 1, reader.line_num, f"is not CSV: {error}")
            return  # where quotes are broken, no later row can be trusted
        if not fields:
            continue
        number += 1
        if len(fields) != len(header):
            problem = f"has {len(fields)} fields where the header has {len(header)}"
            yield BadRow(number, reader.line_num, problem)
        elif not all(_is_text(field) for field in fields):
            yield BadRow(number, reader.line_num, "is not UTF-8")
        else:
            yield Row(number, reader.line_num, dict(zip(header, fields, strict=True)))


def _header(fields: list[str], place: str) -> list[str]:
    names = [field.strip() for field in fields]
    missing = [name for name in COLUMNS if name not in names and name not in OPTIONAL]
    unknown = [name for name in names if name not in COLUMNS]
    if missing or unknown or len(set(names)) < len(names):
        wrong = f'has no column "{missing[0]}"' if missing else "has columns that are not known"
        raise PolyAssayError(
            f"{place}, line 1: the header {wrong}.", hint=f"It is: {','.join(COLUMNS)}"
        )
    return names


def _jsonl_rows(text: str) -> Iterator[Row | BadRow]:
    number = 0
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        number += 1
        if not _is_text(content):
            yield BadRow(number, line, "is not UTF-8")
            continue
        try:
            values = json.loads(content)
        except (ValueError, RecursionError):
            yield BadRow(number, line, "is not JSON")
            continue
        if not isinstance(values, dict):
            yield BadRow(number, line, "is not an object")
        elif unknown := [name for name in values if name not in (*COLUMNS, *OPTIONAL)]:
            yield BadRow(number, line, f'has the unknown field "{unknown[0]}"')
        else:
            yield Row(number, line, values)


def _is_text(field: str) -> bool:
    """Whether no byte had to be escaped, which leaves lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in field)


def check_rows(
    rows: Iterable[Row | BadRow], rubric: Rubric, tasks_of: Callable[[str], Tasks | None]
) -> Checked:
    """Suite, task, dimension and range are checked; names of tools and graders are free."""
    good: list[tuple[Row, Score]] = []
    bad: list[BadRow] = []
    places: dict[object, int] = {}
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
            continue
        found = _score(row.values, rubric, tasks_of)
        if isinstance(found, Score):
            place = (found.key, found.grader, found.dimension, found.showing, found.decision)
            if place in places:
                found = f"repeats row {places[place]}"
            else:
                places[place] = row.number
                good.append((row, found))
                continue
        bad.append(BadRow(row.number, row.line, found, row.values))
    return Checked(tuple(good), tuple(sorted(bad, key=lambda row: row.number)))


def _score(
    values: Mapping[str, Any], rubric: Rubric, tasks_of: Callable[[str], Tasks | None]
) -> Score | str:
    """The score of a row, or what is wrong with it."""
    values = {name: _text(value) for name, value in values.items()}
    if problem := _unknown(values, rubric, tasks_of):
        return problem
    dimension, tasks = rubric.dimension(values["dimension"]), tasks_of(values["suite"])
    assert dimension is not None and tasks is not None
    score = _whole(values.get("score"))
    if score is None or not dimension.low <= score <= dimension.high:
        told = json.dumps(values.get("score"), ensure_ascii=False)
        return f"{dimension.id} is {dimension.low} to {dimension.high}, found {told}"
    sample = _whole(values.get("sample") or "0")
    if sample is None or not 0 <= sample <= MAX_SAMPLE:
        return f"sample must be a whole number, found {json.dumps(values['sample'])}"
    prompts = tasks[values["task"]].prompts
    language, comment = values.get("prompt_language") or "", values.get("comment") or ""
    if not language and len(prompts) > 1:
        return f"prompt_language is missing; the task has {', '.join(prompts)}"
    if not isinstance(language, str) or len(language) > LONGEST_LANGUAGE:
        return f"prompt_language must be a short text, found {json.dumps(language)}"
    if language and prompts and language not in prompts:
        return f'the task has no prompt in "{language}", only in {", ".join(prompts)}'
    if not isinstance(comment, str):
        return f"comment must be text, found {json.dumps(comment)}"
    key = CandidateKey(
        values["suite"],
        values["task"],
        values["tool"],
        language or next(iter(prompts), ""),
        sample,
    )
    showing, decision = int(values.get("showing") == "1"), values.get("decision") is True
    return Score(key, values["grader"], dimension.id, score, comment, showing, decision)


def _unknown(
    values: Mapping[str, Any], rubric: Rubric, tasks_of: Callable[[str], Tasks | None]
) -> str:
    """What a row names that there is not; empty where all of it is known."""
    for name in ("suite", "task", "tool", "grader", "dimension"):
        if not isinstance(values.get(name), str) or not values[name]:
            return f'has no "{name}"'
        if len(values[name]) > LONGEST:
            return f'"{name}" is longer than {LONGEST} characters'
    tasks = tasks_of(values["suite"])
    if tasks is None:
        return f'there is no suite "{values["suite"]}"'
    if values["task"] not in tasks:
        return f'the suite "{values["suite"]}" has no task "{values["task"]}"'
    if rubric.dimension(values["dimension"]) is None:
        known = ", ".join(rubric.scales)
        return f'there is no dimension "{values["dimension"]}" ({rubric.name} has {known})'
    return ""


def _text(value: Any) -> Any:
    """Names without blanks around them; publishers' ids are often numbers in JSON."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else value


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        return int(value)
    return None


def write_csv(scores: Iterable[Score]) -> str:
    """First showings only: the file has no column that tells a repeat or a decision apart."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for score in scores:
        if not score.showing and not score.decision:
            writer.writerow(as_dict(score)[name] for name in COLUMNS)
    return out.getvalue()


def write_jsonl(scores: Iterable[Score]) -> str:
    return "".join(
        json.dumps(
            as_dict(score)
            | ({"showing": score.showing} if score.showing else {})
            | ({"decision": True} if score.decision else {}),
            ensure_ascii=False,
        )
        + "\n"
        for score in scores
    )


def as_dict(score: Score) -> dict[str, Any]:
    """A score in the columns of the files."""
    return {
        **asdict(score.key),
        "grader": score.grader,
        "dimension": score.dimension,
        "score": score.score,
        "comment": score.comment,
    }


def compared(
    checked: Checked, stored: Sequence[Score], replace: bool
) -> tuple[list[Score], int, list[BadRow]]:
    """What is new, how many are there already, and the rows that would change a score."""
    places = {_place(score): score for score in stored}
    new: list[Score] = []
    there, conflicts = 0, []
    for row, score in checked.scores:
        before = places.get(_place(score))
        if before == score:
            there += 1
        elif before is None or replace:
            new.append(score)
        else:
            problem = f"the store has another score or comment of it, {before.score}"
            told = f"{problem} (--replace changes it)"
            conflicts.append(BadRow(row.number, row.line, told, row.values))
    return new, there, conflicts


def strangers(scores: Iterable[Score], known: Mapping[str, Collection[str]]) -> list[str]:
    """What is said of tools whose answers to a suite nobody has run or graded: probable typos.

    `known` are the tools of each suite; a suite whose scores are the first thing known of it has
    none, and any name is right.
    """
    unknown = sorted({(s.key.suite, s.key.tool) for s in scores})
    return [
        f'Nobody has run or graded answers of "{tool}" to {suite} before: '
        f"{did_you_mean(tool, known[suite])}known are {', '.join(sorted(known[suite]))}."
        for suite, tool in unknown
        if known.get(suite) and tool not in known[suite]
    ]


def _place(score: Score) -> tuple[object, ...]:
    grader = "" if score.decision else score.grader
    return score.key, grader, score.dimension, score.showing, score.decision


def events_of(score: Score, rubric: Rubric) -> list[Event]:
    """An imported score as the key presses that would have given it."""
    place = (score.grader, rubric.name, score.key, score.showing, score.dimension)
    if score.decision:
        return [Event(EventKind.DECISION, *place, score.score, score.comment)]
    return [
        Event(EventKind.SCORE, *place, score.score),
        *([Event(EventKind.COMMENT, *place, text=score.comment)] if score.comment else []),
    ]
