"""Rows that `grade import --partial` left out: which, and how far they could move a mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from polyassay.rubric.means import AnswerScore
from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score
from polyassay.store.graders import LeftOutRow
from polyassay.wording import counted, some

_PLACE = ("suite", "task", "tool", "sample", "grader", "dimension")


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a mean could lie if rows that were left out counted."""

    rows: int
    low: float  # with the least that each row could have said
    high: float
    as_written: float | None  # with the numbers that stand there, where all are numbers


def still_left_out(rows: Iterable[LeftOutRow], scores: Iterable[Score]) -> list[LeftOutRow]:
    """Rows for whose answer, grader and dimension the store has no score by now."""
    there = {
        (*(str(getattr(s.key, name)) for name in _PLACE[:4]), s.grader, s.dimension) for s in scores
    }
    return [row for row in rows if tuple(map(_told(row), _PLACE)) not in there]


def reach(
    rows: Iterable[LeftOutRow], answers: Sequence[AnswerScore], tool: str, dimension: Dimension
) -> Reach | None:
    """Of one tool's mean, from its answers; none where no row is about it."""
    wanted = [r for r in rows if _told(r)("tool") == tool and _told(r)("dimension") == dimension.id]
    if not wanted:
        return None
    values = [_number(row.fields.get("score")) for row in wanted]
    known = [value for value in values if value is not None]
    ends = [(min([dimension.low, *v]), max([dimension.high, *v])) for v in map(_listed, values)]
    return Reach(
        rows=len(wanted),
        low=_mean_with(answers, wanted, [low for low, _ in ends]),
        high=_mean_with(answers, wanted, [high for _, high in ends]),
        as_written=_mean_with(answers, wanted, known) if len(known) == len(values) else None,
    )


def _mean_with(
    answers: Sequence[AnswerScore], rows: Sequence[LeftOutRow], values: Sequence[float]
) -> float:
    """The mean over answers if each row's grader had given that value; decisions stay."""
    given: dict[Any, list[float]] = {}
    for answer in answers:
        place = (answer.key.suite, answer.key.task, str(answer.key.sample))
        scores = [answer.value] if answer.decided else list(answer.given.values())
        given.setdefault((*place, answer.key.prompt_language), []).extend(scores)
    decided = {(a.key.suite, a.key.task, str(a.key.sample)) for a in answers if a.decided}
    for row, value in zip(rows, values, strict=True):
        place = tuple(map(_told(row), ("suite", "task", "sample")))
        if place in decided:
            continue
        language = str(row.fields.get("prompt_language") or "")
        same = [key for key in given if key[:3] == place and language in ("", key[3])]
        given.setdefault(same[0] if same else (*place, language), []).append(value)
    return sum(sum(of) / len(of) for of in given.values()) / len(given)


def _told(row: LeftOutRow) -> Any:
    """Looks a field up as text, with the default that `import` would take."""

    def field(name: str) -> str:
        value = row.fields.get(name)
        return str(value if value not in (None, "") else "0" if name == "sample" else "").strip()

    return field


def _number(value: Any) -> float | None:
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if abs(found) <= 100 else None  # whatever that was, it was no score


def _listed(value: float | None) -> list[float]:
    return [] if value is None else [value]


def named_rows(rows: Sequence[LeftOutRow]) -> str:
    """`scores.csv rows 3, 7 to 12`, for every file."""
    return "; ".join(
        f"{source} {'row' if len(found) == 1 else 'rows'} {some(_runs(found), 8)}"
        for source, of in groupby(rows, key=lambda row: row.source)
        for found in [[row.row for row in of]]
    )


def _runs(numbers: Sequence[int]) -> list[str]:
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in found]


def warnings(
    rows: Sequence[LeftOutRow], reaches: Mapping[tuple[str, str], tuple[float, Reach]]
) -> list[str]:
    """What a table of means says below: `reaches` is (tool, dimension) → its mean and reach."""
    if not rows:
        return []
    lines = [f"Left out at import: {counted(len(rows), 'score')} ({named_rows(rows)})."]
    for (tool, dimension), (mean, of) in reaches.items():
        written = f"; as written, {of.as_written:.4f}" if of.as_written is not None else ""
        lines.append(
            f"  {counted(of.rows, 'score')} of {tool}, {dimension}: could move its mean "
            f"{mean:.4f} to anywhere from {of.low:.4f} to {of.high:.4f}{written}."
        )
    unplaced = len(rows) - sum(of.rows for _, of in reaches.values())
    if unplaced:
        lines.append(f"  {counted(unplaced, 'score')} of no tool and dimension that has a mean.")
    return lines
