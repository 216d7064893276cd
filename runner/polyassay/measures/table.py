"""The measures: one row each, and the only place that knows their names.

`score`, `compare`, `leaderboard`, thresholds and the report take any row. To add a measure
of verdicts, add a row to `MEASURES`, whose function is given what units.py defines:

    Measure("ended", "ended", Of.SAMPLE, lambda sample: sample.outcome is not Outcome.TIMED_OUT,
            "ends in time {much} more often", without_answer=0.0)

Rows for measures of text are made of `measuring/names.py`. What no verdict holds (cost, BLEU, …) is
put into `Sample.measures` with `units.with_values`, and its row reads it with `recorded`:

    Measure("tokens", "tokens", Of.SAMPLE, recorded("tokens"), "writes {much} more",
            more_is_better=False, scale=Scale(high=None, unit="tokens"))
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from polyassay.errors import PolyAssayError
from polyassay.measures.measuring.names import TEXT_MEASURES
from polyassay.measures.passk import pass_at_k, pass_hat_k
from polyassay.measures.units import Sample, UnitScore
from polyassay.model import Style, Task
from polyassay.wording import did_you_mean

Value: TypeAlias = float | None  # None: unknown, which is never 0


class Of(StrEnum):
    """What a measure's function is given, and so what it is the value of."""

    SAMPLE = "sample"  # a Sample; a unit's value is the mean over its known samples
    UNIT = "unit"  # a UnitScore
    TOOL = "tool"  # all units of a tool; it has no interval, and tools are not tested by it


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie, and how they are shown."""

    low: float | None = 0.0
    high: float | None = 1.0
    unit: str = ""  # "s", "USD"; empty for shares, which are shown in per cent

    @property
    def is_share(self) -> bool:
        return (self.low, self.high, self.unit) == (0.0, 1.0, "")

    @property
    def span(self) -> float | None:
        """The largest difference there can be."""
        return None if self.low is None or self.high is None else self.high - self.low


SHARE = Scale()


@dataclass(frozen=True, slots=True)
class Measure:
    name: str  # in JSON and on the command line
    title: str  # above a column
    of: Of
    value: Callable[[Any], Value]  # given what `of` says
    says: str  # what a tool with a higher value does: "solves {much} more"
    more_is_better: bool = True
    scale: Scale = SHARE
    without_answer: Value = None  # a unit's value where the tool gave no answer
    shown: bool = False  # in every table where it is known, also where nobody asked for it
    needs: int = 1  # samples of a unit that count; with fewer the value is unknown
    passing: bool = False  # made of samples that pass or fail
    applies: Callable[[Task], bool] = lambda task: True  # of other tasks it is unknown
    recorded: bool = False  # unknown unless it was recorded about a sample
    always_in_json: bool = False  # null where it is unknown, which else is left out
    means: str = ""  # below a table, where the title does not say it; may name `{needs}`

    def of_unit(self, unit: UnitScore) -> Value:
        """The value of one unit; None where it is unknown."""
        if self.of is Of.TOOL or unit.left_out or not self.applies(unit.task):
            return None
        if not unit.samples:
            return self.without_answer
        if len(unit.counted) < self.needs or (self.recorded and not unit.measured):
            return None
        if self.of is Of.UNIT:
            return self.value(unit)
        known = [v for v in map(self.value, unit.counted) if v is not None]
        return sum(known) / len(known) if known else None

    def has_samples(self, units: Iterable[UnitScore]) -> bool:
        """Whether there are as many as it needs of every unit that was answered."""
        return self.needs == 1 or all(
            len(unit.samples) >= self.needs for unit in units if unit.samples
        )


def recorded(name: str) -> Callable[[Sample], Value]:
    """Reads what a harness or a later step recorded about a sample."""
    return lambda sample: sample.measures.get(name)


def _is_cell(task: Task) -> bool:
    return task.style is Style.CELL


def _of_cell(name: str) -> Callable[[Sample], Value]:
    """A cell that never ran has no record, and that is a 0."""
    return lambda sample: sample.measures.get(name, 0.0)


def _pass_at(k: int) -> Measure:
    solves = "a sample solves" if k == 1 else "at least one of {needs} samples solves"
    return Measure(
        f"pass@{k}",
        f"pass@{k}",
        Of.UNIT,
        lambda unit: pass_at_k(len(unit.counted), unit.passed, k),
        "solves {much} more" if k == 1 else f"solves {{much}} more in {k} tries",
        without_answer=0.0,
        needs=k,
        passing=True,
        always_in_json=True,
        means=f"the share of prompts that {solves}",
    )


def _pass_hat(k: int) -> Measure:
    return Measure(
        f"pass^{k}",
        f"pass^{k}",
        Of.UNIT,
        lambda unit: pass_hat_k(len(unit.counted), unit.passed, k),
        f"solves {{much}} more every time in {k} tries",
        without_answer=0.0,
        needs=k,
        passing=True,
        always_in_json=True,
        means="the share of prompts that all of {needs} samples solve",
    )


def _cost_of_a_solved_task(units: Sequence[UnitScore]) -> Value:
    """What all samples cost, over the tasks that any of them solves; unknown if any cost is."""
    counted = [unit for unit in units if not unit.left_out]
    costs = [sample.measures.get("cost") for unit in counted for sample in unit.counted]
    known = [cost for cost in costs if cost is not None]
    solved = sum(unit.passed > 0 for unit in counted)
    return sum(known) / solved if solved and known and len(known) == len(costs) else None


def _percentile(name: str, share: float) -> Callable[[Sequence[UnitScore]], Value]:
    def value(units: Sequence[UnitScore]) -> Value:
        counted = [unit for unit in units if not unit.left_out]
        found = (sample.measures.get(name) for unit in counted for sample in unit.counted)
        known = sorted(value for value in found if value is not None)
        return known[min(len(known) - 1, int(share * len(known)))] if known else None

    return value


def _origin(name: str, title: str, says: str, unit: str = "", shown: bool = False) -> Measure:
    """A row of what an answer's origin tells; less of it is better."""
    scale = Scale(high=None, unit=unit)
    value = recorded(name)
    return Measure(name, title, Of.SAMPLE, value, says, False, scale, shown=shown, recorded=True)


# What it took to get an answer, from its origin; known only of answers that were asked for here.
COSTS = (
    _origin("cost", "cost", "costs {much} more an answer"),
    _origin("tokens", "tokens", "takes {much} more an answer", "tokens"),
    _origin("input_tokens", "input tokens", "reads {much} more an answer", "tokens"),
    _origin("output_tokens", "output tokens", "writes {much} more an answer", "tokens"),
    _origin("answer_seconds", "seconds", "takes {much} longer to answer", "s"),
    _origin("shown_tests", "shown tests", "was shown {much} more", "tests", shown=True),
    Measure(
        "cost_per_solved",
        "cost per solved task",
        Of.TOOL,
        _cost_of_a_solved_task,
        "costs {much} more a solved task",
        more_is_better=False,
        scale=Scale(high=None),
    ),
    *(
        Measure(
            f"answer_seconds_p{percent}",
            f"seconds p{percent}",
            Of.TOOL,
            _percentile("answer_seconds", percent / 100),
            "takes {much} longer to answer",
            more_is_better=False,
            scale=Scale(high=None, unit="s"),
        )
        for percent in (50, 95)
    ),
)
RATIO = "avg_pass_ratio"

MEASURES: dict[str, Measure] = {
    row.name: row
    for row in (
        Measure(
            RATIO,
            "AvgPassRatio",
            Of.UNIT,
            lambda unit: unit.ratio,
            "passes {much} more of a task's tests",
            without_answer=0.0,
            shown=True,
            always_in_json=True,
            means="the mean share of tests that pass",
        ),
        Measure(
            "reliability",
            "reliability",
            Of.UNIT,
            lambda unit: unit.reliability,
            "answers a task the same way {much} more often",
            needs=2,
        ),
        Measure(
            "output_em",
            "OutputEM",
            Of.SAMPLE,
            _of_cell("output_em"),
            "has the right output in {much} more",
            without_answer=0.0,
            shown=True,
            applies=_is_cell,
            means="the share of cells with the right output",
        ),
        Measure(
            "f1",
            "F1",
            Of.SAMPLE,
            _of_cell("f1"),
            "has {much} more of the output",
            without_answer=0.0,
            shown=True,
            applies=_is_cell,
        ),
        Measure(
            "ran",
            "ran",
            Of.SAMPLE,
            _of_cell("ran"),
            "runs {much} more",
            without_answer=0.0,
            shown=True,
            applies=_is_cell,
            means="the share of cells that run to their end",
        ),
        *COSTS,
        *(
            Measure(
                row.name,
                row.title,
                Of.SAMPLE,
                recorded(row.name),
                row.says,
                row.more_is_better,
                Scale(high=row.high, unit=row.unit),
                recorded=True,
            )
            for row in TEXT_MEASURES
        ),
    )
}
# Measures with a number in their name.
FAMILIES: Mapping[str, Callable[[int], Measure]] = {"pass@": _pass_at, "pass^": _pass_hat}


@cache
def measure(name: str) -> Measure:
    """The row of this name: `pass@5`, `pass^3`, `avg_pass_ratio`, …"""
    if name in MEASURES:
        return MEASURES[name]
    found = re.fullmatch(r"(\D+)([1-9]\d{0,3})", name)
    if found and found[1] in FAMILIES:
        return FAMILIES[found[1]](int(found[2]))
    family = {f"{name}{k}" for name in FAMILIES for k in (1, 5, 10)}
    usual = re.fullmatch(r"pass[-_ ]?(?:at)?[-_ ]?([1-9]\d{0,3})", name)
    hint = did_you_mean(f"pass@{usual[1]}" if usual else name, {*MEASURES, *family})
    hint = f"{hint}`polyassay score --help` tells more." if hint else _all_of_them()
    raise PolyAssayError(f'There is no measure "{name}".', hint=hint)


def _all_of_them() -> str:
    return f"Choose from {', '.join(known_names())}."


HEADLINE = measure("pass@1")  # what decides wherever no other measure was asked for


def known_names() -> list[str]:
    return [*(f"{family}K" for family in FAMILIES), *MEASURES]


def pass_at_names(ks: Iterable[int]) -> list[str]:
    return [f"pass@{k}" for k in ks]


def usual(ks: Iterable[int], besides: Iterable[str] = ()) -> list[Measure]:
    """What a table has: pass@k, what was asked for by name, and what is always shown."""
    names = [*pass_at_names(ks), *besides]
    names += [row.name for row in MEASURES.values() if row.shown]
    return [measure(name) for name in dict.fromkeys(names)]


def refuse_missing_samples(
    chosen: Sequence[Measure], units: Iterable[UnitScore], tool: str
) -> None:
    """Raises where a measure needs more samples than a tool gave of a task that it answered."""
    needs = max(chosen, key=lambda row: row.needs, default=None)
    for unit in units if needs else ():
        count = len(unit.samples)
        if needs and 0 < count < needs.needs:
            raise PolyAssayError(
                f"{needs.title} needs {needs.needs} samples of every task, "
                f"and {tool} has {count} of {unit.unit}.",
                hint=f"Ask for up to {count}, or give {tool} more samples.",
            )
