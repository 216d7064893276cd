"""A comparison as people and programs read it."""

from collections.abc import Mapping
from typing import Any

from polyassay.measures.units import Unit
from polyassay.report.tables import Cell, Points, Share, Table
from polyassay.statistics.compare import RATIO, Comparison, Metric
from polyassay.statistics.sentences import summary

_DECIDING_SHOWN = 20


def metrics_table(comparison: Comparison) -> Table:
    columns = ("metric", comparison.a, comparison.b, "difference", "p", "answer")
    rows = tuple((_title(name), *_cells(metric)) for name, metric in comparison.metrics.items())
    return Table(columns, rows)


def groups_table(comparison: Comparison, name: str) -> Table:
    """One line a group, for one metric."""
    columns = (
        *(label.replace("_", " ") for label in comparison.by),
        "tasks",
        comparison.a,
        comparison.b,
        "difference",
        "p",
        "p (Holm)",
        "answer",
    )
    rows: list[tuple[Cell, ...]] = []
    for labels, metrics in comparison.groups.items():
        metric = metrics[name]
        a, b, difference, p, answer = _cells(metric)
        adjusted = p_value(metric.p_adjusted)
        rows.append((*labels, metric.units, a, b, difference, p, adjusted, answer))
    return Table(columns, tuple(rows))


def _cells(metric: Metric) -> tuple[Share, Share, Points, str, str]:
    difference = Points(metric.difference, metric.interval.low, metric.interval.high)
    return Share(metric.a), Share(metric.b), difference, p_value(metric.p), metric.answer


def p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def _title(name: str) -> str:
    return "AvgPassRatio" if name == RATIO else name


def deciding_lines(comparison: Comparison, everything: bool, many_suites: bool) -> list[str]:
    """Who alone does better on which tasks, the clearest first."""
    lines = []
    many_languages = len({pair.unit.prompt_language for pair in comparison.deciding}) > 1
    for tool, sign in ((comparison.a, -1), (comparison.b, 1)):
        names = [
            _name(pair.unit, many_suites, many_languages)
            for pair in comparison.deciding
            if pair.difference * sign > 0
        ]
        if not names:
            continue
        shown = names if everything else names[:_DECIDING_SHOWN]
        rest = f" and {len(names) - len(shown)} more (--all-tasks)" if names[len(shown) :] else ""
        lines.append(f"{tool} is better on {len(names)}: {', '.join(shown)}{rest}")
    return lines


def _name(unit: Unit, many_suites: bool, many_languages: bool) -> str:
    """A task's id, with the suite and the prompt language only where there are several."""
    suite = f"{unit.suite} " * many_suites
    return suite + unit.task + f" ({unit.prompt_language})" * many_languages


def as_json(comparison: Comparison, runs: tuple[str, str], name: str) -> dict[str, Any]:
    """The contract of `compare --json`; `detectable` and `tasks_needed` are of one metric."""
    chosen = comparison.metrics[name]
    value: dict[str, Any] = {
        "a": comparison.a,
        "b": comparison.b,
        "runs": list(runs),
        "tasks": comparison.tasks,
        "metrics": _metrics_json(comparison.metrics),
        "detectable": chosen.reach.detectable,
        "tasks_needed": chosen.reach.tasks_needed,
        "sentence": " ".join(summary(comparison, name)),
        "deciding": [
            {
                "suite": pair.unit.suite,
                "task": pair.unit.task,
                "prompt_language": pair.unit.prompt_language,
                "a": pair.a,
                "b": pair.b,
            }
            for pair in comparison.deciding
        ],
    }
    if comparison.by:
        value["groups"] = [
            dict(zip(comparison.by, labels, strict=True))
            | {"tasks": next(iter(metrics.values())).units, "metrics": _metrics_json(metrics)}
            for labels, metrics in comparison.groups.items()
        ]
    return value


def _metrics_json(metrics: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        name: {
            "a": metric.a,
            "b": metric.b,
            "difference": metric.difference,
            "low": metric.interval.low,
            "high": metric.interval.high,
            "p": metric.p,
            "p_adjusted": metric.p_adjusted,
            "answer": metric.answer,
            "test": metric.test,
            "effect": metric.reach.effect,
            "ahead": metric.ahead,
            "behind": metric.behind,
        }
        for name, metric in metrics.items()
    }
