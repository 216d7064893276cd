"""`grade compare` as people and programs read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.measures.comparing.sentences import GRADERS_PLAN, outlook
from polyassay.report.comparing.comparison import difference_cell, metrics_json
from polyassay.report.comparing.pairs import p_value
from polyassay.report.tables import Amount, Cell, Table
from polyassay.rubric.figures.comparing import GradeComparison, sentence
from polyassay.statistics.ordinal import OrdinalFit
from polyassay.wording import counted

Models = Mapping[str, OrdinalFit | None]  # dimension → its ordinal mixed model


def grades_table(found: GradeComparison) -> Table:
    comparison = found.comparison
    ahead = f"{comparison.b} − {comparison.a}"
    columns = ("dimension", comparison.a, comparison.b, ahead, "p", "p (Holm)", "answer")
    rows: list[tuple[Cell, ...]] = []
    for name, metric in comparison.metrics.items():
        smallest = metric.detectable
        shows = f"from {smallest:.2f}" if smallest is not None else "none"
        rows.append(
            (
                name,
                Amount(metric.a),
                Amount(metric.b),
                difference_cell(metric),
                p_value(metric.p),
                p_value(metric.p_adjusted),
                metric.answer,
                metric.units,
                _graders(found.graders(name)),
                shows,
            )
        )
    return Table((*columns, "tasks", "graders", "can show"), tuple(rows), tuple(notes(found)))


def _graders(graders: Mapping[str, int]) -> str:
    return ", ".join(f"{grader} {n}" for grader, n in graders.items()) or "decided"


def notes(found: GradeComparison) -> list[str]:
    """The answer in a sentence, what this many tasks can show, and what does not count."""
    told = [sentence(found)]
    told += _outlooks(found)
    if len(found.comparison.metrics) > 1:
        told.append(
            "Dimensions are tested together (Holm), so intervals may be wider than those of 95 %."
        )
    left = {name: n for name, n in found.no_common_grader.items() if n}
    if left:
        most = max(left.values())
        told.append(
            f"Left out: {counted(most, 'task')} whose answers no grader scored both "
            "(`--model` takes them too)."
        )
    return told


def _outlooks(found: GradeComparison) -> list[str]:
    """What the tasks can show of each dimension; what is the same for all is said once."""
    names: dict[str, list[str]] = {}
    for name in found.comparison.metrics:
        for line in outlook(found.comparison, name, GRADERS_PLAN):
            names.setdefault(line, []).append(name)
    every = len(found.comparison.metrics)
    return [
        line if len(of) == every else f"{' and '.join(of)}: {line}" for line, of in names.items()
    ]


def models_table(found: GradeComparison, models: Models) -> Table:
    """Log odds that B's answer gets a higher score than A's."""
    rows: list[tuple[Cell, ...]] = []
    for name, fit in models.items():
        if fit is None:
            rows.append((name, "not defined", "", ""))
            continue
        ends = fit.interval(0)
        odds = Amount(float(fit.effects[0]), ends.low, ends.high)
        rows.append((name, odds, p_value(fit.p(0)), f"{fit.spread:.2f}"))
    b, a = found.comparison.b, found.comparison.a
    note = f"Ordinal mixed model: log odds that {b} scores higher than {a}, graders taken out."
    return Table(("dimension", "log odds", "p", "spread of tasks"), tuple(rows), (note,))


def grades_json(found: GradeComparison, models: Models | None = None) -> dict[str, Any]:
    """The contract of `grade compare --json`."""
    comparison = found.comparison
    metrics = metrics_json(comparison.metrics)
    for name, metric in comparison.metrics.items():
        metrics[name] |= {
            "tasks": metric.units,
            "detectable": metric.detectable,
            "graders": found.graders(name),
            "no_common_grader": found.no_common_grader[name],
        }
    value: dict[str, Any] = {
        "a": comparison.a,
        "b": comparison.b,
        "rubric": found.rubric.name,
        "tasks": comparison.tasks,
        "metrics": metrics,
        "sentence": sentence(found),
    }
    if models is not None:
        value["models"] = {name: _fit_json(fit) for name, fit in models.items()}
    return value


def _fit_json(fit: OrdinalFit | None) -> dict[str, Any] | None:
    if fit is None:
        return None
    ends = fit.interval(0)
    return {
        "log_odds": float(fit.effects[0]),
        "low": ends.low,
        "high": ends.high,
        "p": fit.p(0),
        "task_spread": fit.spread,
        "converged": fit.converged,
    }


def pairs_table(found: Sequence[GradeComparison]) -> Table:
    """Every two tools and every dimension, for the report."""
    rows: list[tuple[Cell, ...]] = [
        (
            f"{one.comparison.b} − {one.comparison.a}",
            name,
            metric.units,
            difference_cell(metric),
            p_value(metric.p_adjusted),
            metric.answer,
        )
        for one in found
        for name, metric in one.comparison.metrics.items()
    ]
    told = [sentence(one) for one in found] if len(found) < 4 else []
    together = "Paired by task within graders; all lines are tested together (Holm)."
    columns = ("tools", "dimension", "tasks", "difference", "p (Holm)", "answer")
    return Table(columns, tuple(rows), (*told, together))
