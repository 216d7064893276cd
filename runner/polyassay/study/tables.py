"""A study's results as tables: what was asked, and what each varied setting does."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyassay.measures.comparing.margins import margin_of
from polyassay.measures.comparing.two import Metric
from polyassay.measures.scores import Estimate, estimate
from polyassay.measures.table import Measure, measure
from polyassay.measures.units import Scores
from polyassay.model import CandidateKey
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Amount, Cell, Points, Share, Table
from polyassay.study.effects import SettingEffects

COSTS = ("cost", "tokens", "answer_seconds_p50", "answer_seconds_p95", "cost_per_solved")


def effect_table(found: SettingEffects) -> Table:
    row = measure(found.measure)
    lines = []
    for effect in found.effects:
        metric = effect.against_first
        lines.append(
            (
                str(effect.value),
                estimate_cell(effect.score, row),
                _difference(metric, row),
                "" if metric is None else str(metric.answer),
                metric.units if metric else None,
            )
        )
    columns = (found.setting, row.title, "against the first", "so it is", "pairs")
    return Table(columns, tuple(lines), (_sentence(found, row),))


def _difference(metric: Metric | None, row: Measure) -> Cell:
    if metric is None:
        return None
    ends = metric.interval
    if row.scale.is_share:
        return Points(metric.difference, ends.low, ends.high)
    return Amount(metric.difference, ends.low, ends.high, row.scale.unit)


def _sentence(found: SettingEffects, row: Measure) -> str:
    told = [e for e in found.effects if e.against_first and e.against_first.p_adjusted < 0.05]
    first = found.effects[0].value
    if not told:
        return f"Whether {found.setting} matters for {row.title} cannot be told from these tasks."
    parts = [f"{e.value} is {e.against_first.answer}" for e in told if e.against_first]
    return f"Against {found.setting} = {first}: {', '.join(parts)}."


def baseline_table(
    metrics: Mapping[str, Metric], baseline: str, name: str, points: float | None
) -> Table:
    """One line a tool: how it does against the baseline, and against the margin if there is one."""
    row = measure(name)
    columns: tuple[str, ...] = ("tool", row.title, f"against {baseline}", "so it is", "pairs")
    lines: list[tuple[Cell, ...]] = []
    for tool, metric in metrics.items():
        value: Cell = Share(metric.b) if row.scale.is_share else Amount(metric.b)
        cells = (tool, value, _difference(metric, row), str(metric.answer), metric.units)
        margin = margin_of(metric, points)
        lines.append((*cells, str(margin.answer)) if margin else cells)
    if points is not None:
        columns = (*columns, f"by {points:g} or more")
    return Table(columns, tuple(lines))


@dataclass(frozen=True, slots=True)
class AnswersOfTool:
    """What a tool's answers took, as their origins tell."""

    tool: str
    answers: int
    finishes: Mapping[str, int]  # all but complete
    shown_tests: float  # a task, mean
    held_out: bool  # what was shown does not judge
    quality: Estimate
    costs: Mapping[str, Estimate]


def asked_tools(
    scores: Scores, origins: Iterable[tuple[CandidateKey, Mapping[str, Any]]], name: str
) -> list[AnswersOfTool]:
    counts: Counter[str] = Counter()
    finishes: dict[str, Counter[str]] = {}
    shown: Counter[str] = Counter()
    held_out: set[str] = set()
    for key, origin in origins:
        counts[key.tool] += 1
        if origin.get("finish", "complete") != "complete":
            finishes.setdefault(key.tool, Counter())[str(origin["finish"])] += 1
        settings = origin.get("settings") or {}
        if settings.get("held_out_tests"):
            held_out.add(key.tool)
        shown[key.tool] += len(settings.get("shown_test_names") or ())
    found = []
    for tool, units in scores.items():
        kept = [unit for unit in units if not unit.left_out]
        found.append(
            AnswersOfTool(
                tool,
                counts[tool],
                finishes.get(tool, Counter()),
                shown[tool] / max(1, counts[tool]),
                tool in held_out,
                estimate(kept, measure(name)),
                {cost: estimate(kept, measure(cost)) for cost in COSTS},
            )
        )
    return found


def asked_table(asked: Sequence[AnswersOfTool], name: str) -> Table:
    """Unknown stays empty."""
    costs = [cost for cost in COSTS if any(one.costs[cost].value is not None for one in asked)]
    shown = any(one.shown_tests for one in asked)
    kinds = sorted({kind for one in asked for kind in one.finishes})
    titles = [measure(cost).title for cost in costs]
    columns = ("tool", measure(name).title, *titles, *kinds, *(["tests shown"] if shown else []))
    rows = tuple(
        (
            one.tool,
            estimate_cell(one.quality, measure(name)),
            *(estimate_cell(one.costs[cost], measure(cost)) for cost in costs),
            *(one.finishes.get(kind, 0) for kind in kinds),
            *([round(one.shown_tests, 2)] if shown else []),
        )
        for one in asked
    )
    return Table(columns, rows, (_shown_note(asked),) if shown else ())


def _shown_note(asked: Sequence[AnswersOfTool]) -> str:
    if all(one.held_out for one in asked if one.shown_tests):
        return "Tests that prompts showed are not among those that judge."
    return "Tests that prompts showed are among those that judge: hold them out to be sure."


def effects_json(found: Sequence[SettingEffects]) -> dict[str, Any]:
    return {one.setting: [_effect_json(effect) for effect in one.effects] for one in found}


def _effect_json(effect: Any) -> dict[str, Any]:
    score, metric = effect.score, effect.against_first
    told = {"value": effect.value, "score": score.value}
    if score.interval:
        told |= {"low": score.interval.low, "high": score.interval.high}
    if metric:
        told["difference"] = {
            "value": metric.difference,
            "low": metric.interval.low,
            "high": metric.interval.high,
            "p": metric.p,
            "p_adjusted": metric.p_adjusted,
            "answer": str(metric.answer),
            "pairs": metric.units,
        }
    return told
