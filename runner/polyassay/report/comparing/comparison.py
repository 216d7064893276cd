"""A comparison as people and programs read it."""

from collections.abc import Mapping
from typing import Any

from polyassay.measures.comparing.beside import Beside
from polyassay.measures.comparing.many import Matrix
from polyassay.measures.comparing.margins import Decision, Margin
from polyassay.measures.comparing.planning import needed
from polyassay.measures.comparing.sentences import (
    PLAN,
    chance_sentence,
    margin_sentence,
    summary,
)
from polyassay.measures.comparing.two import Answer, Comparison, Metric
from polyassay.measures.units import Unit
from polyassay.report.comparing.advice import advice_of_two
from polyassay.report.comparing.answers import compared_on
from polyassay.report.comparing.pairs import compared_on_common, p_value, rank
from polyassay.report.score_table import points_cell, value_cell
from polyassay.report.tables import Cell, Table
from polyassay.texts import say
from polyassay.wording import asked_told, counted, fixed

_DECIDING_SHOWN = 8
TOO_FEW = "too few tasks"


def metrics_table(comparison: Comparison) -> Table:
    a, b = comparison.a, comparison.b
    columns = ("measure", a, b, f"{b} − {a}", "p", f"{b} is")
    rows = tuple((metric.measure.title, *_cells(metric)) for metric in comparison.metrics.values())
    return Table(columns, rows)


def groups_table(comparison: Comparison, name: str) -> Table:
    """One line a group, for one metric."""
    columns = (
        *(label.replace("_", " ") for label in comparison.by),
        "tasks",
        comparison.a,
        comparison.b,
        f"{comparison.b} − {comparison.a}",
        "p",
        "p (Bonferroni)",
        f"{comparison.b} is",
    )
    rows: list[tuple[Cell, ...]] = []
    for labels, metrics in comparison.groups.items():
        if name not in metrics:
            continue
        metric = metrics[name]
        a, b, difference, p, answer = _cells(metric)
        adjusted = p_value(metric.p_adjusted)
        if metric.too_few:  # a range from nearly −100 to 100 would say less
            difference, p, adjusted, answer = None, "", "", TOO_FEW
        rows.append((*labels, metric.units, a, b, difference, p, adjusted, answer))
    return Table(columns, tuple(rows))


def _cells(metric: Metric) -> tuple[Cell, Cell, Cell, str, str]:
    a, b = (value_cell(value, metric.measure) for value in (metric.a, metric.b))
    return a, b, difference_cell(metric), p_value(metric.p), metric.answer


def difference_cell(metric: Metric) -> Cell:
    return points_cell(metric.difference, metric.interval, metric.measure)


def needs_table(metric: Metric) -> Table:
    """How many tasks like these show 2, 5 and 10 points."""
    rows: list[tuple[Cell, ...]] = []
    for points, tasks in needed(metric).items():
        rows.append((f"{points} points", f"{tasks:,}" if tasks else "more than 10 million"))
    return Table(("to show", "tasks, for 80 %"), tuple(rows))


def matrix_table(matrix: Matrix) -> Table:
    """Each line: how far its tool is ahead of those in the columns, adjusted over all pairs."""
    columns = (
        say("rank"),
        say("tool"),
        matrix.decides.title,
        *(f"− {tool}" for tool in matrix.tools[1:]),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, tool in enumerate(matrix.tools[:-1] if len(matrix.tools) > 1 else matrix.tools):
        rows.append(_matrix_row(matrix, tool, place))
    if len(matrix.tools) > 1:
        rows.append(_matrix_row(matrix, matrix.tools[-1], len(matrix.tools) - 1))
    return Table(columns, tuple(rows), tuple(matrix_notes(matrix)))


def _matrix_row(matrix: Matrix, tool: str, place: int) -> tuple[Cell, ...]:
    value = matrix.scores[tool][matrix.decides.name].value
    cells: list[Cell] = []
    for other_place, other in enumerate(matrix.tools[1:], start=1):
        cells.append(_versus(matrix, tool, other) if place < other_place else "")
    shown = None if value is None else value_cell(value, matrix.decides)
    return (rank(*matrix.ranks[tool]), tool, shown, *cells)


def _versus(matrix: Matrix, tool: str, other: str) -> str:
    """+3.4 with a mark where it is an answer; empty where the measure is unknown of either."""
    found = next((v for v in matrix.versus() if (v.first, v.second) == (tool, other)), None)
    if found is None:
        return ""
    share = matrix.decides.scale.is_share
    shown = 100 * found.difference if share else found.difference
    mark = " *" if found.p_adjusted < 0.05 else ""
    return fixed(shown, signed=True) + mark


def matrix_notes(matrix: Matrix) -> list[str]:
    pairs = counted(len(matrix.pairs), "pair")
    told = say(
        "* told apart: {pairs} tested together (Holm), so that any false answer among them has "
        "a chance of at most 5 %. Ranks follow from these answers.",
        pairs=pairs,
    )
    return [told, *compared_on_common(matrix)]


def comparison_lines(
    decision: Decision, beside: Beside, all_tasks: bool, many_suites: bool, plan: str
) -> list[Table | str]:
    """Everything that `compare` prints of two tools, top to bottom."""
    found, metric = decision.comparison, decision.metric
    parts: list[Table | str] = [metrics_table(found), ""]
    parts += summary(found, decision.name, plan, turns=bool(beside.missing))
    parts += beside.lines(decision.name)
    if decision.margin:
        parts.append(margin_sentence(found, decision.margin))
    if decision.bayes:
        parts.append(chance_sentence(decision))
    if not beside.missing:  # which has been told
        parts += advice_of_two(found, decision.name, beside, decision.margin)
    if found.left_out.only_one_asked or found.left_out.not_counted:
        parts += compared_on(found)
    if metric.answer is Answer.CANNOT_TELL and needed(metric):
        parts += ["", needs_table(metric)]
    if found.groups:
        parts += ["", groups_table(found, decision.name)]
    return [*parts, "", *deciding_lines(found, all_tasks, many_suites)]


def deciding_lines(comparison: Comparison, everything: bool, many_suites: bool) -> list[str]:
    """Who alone does better on which tasks, the clearest first."""
    lines = []
    title = next(iter(comparison.metrics.values())).measure.title
    many_languages = len({pair.unit.prompt_language for pair in comparison.deciding}) > 1
    without_a, without_b = comparison.unanswered
    for tool, sign, other, without in (
        (comparison.a, -1, comparison.b, without_b),
        (comparison.b, 1, comparison.a, without_a),
    ):
        units = [pair.unit for pair in comparison.deciding if pair.difference * sign > 0]
        if not units:
            continue
        names = [
            _name(unit, many_suites, many_languages) + f" ({other}: no answer)" * (unit in without)
            for unit in units
        ]
        shown = names if everything else names[:_DECIDING_SHOWN]
        rest = f" and {len(names) - len(shown)} more (--all-tasks)" if names[len(shown) :] else ""
        on = asked_told(len(units), len({unit.task_key for unit in units}))
        lines.append(f"{tool} has the higher {title} on {on}: {', '.join(shown)}{rest}")
    return lines


def _name(unit: Unit, many_suites: bool, many_languages: bool) -> str:
    """A task's id, with the suite and the prompt language only where there are several."""
    suite = f"{unit.suite} " * many_suites
    return suite + unit.task + f" ({unit.prompt_language})" * many_languages


def plan_of(runs: tuple[str, str]) -> str:
    """What `power` is to plan with: a run, where both tools are in it."""
    return f"--from {runs[0]}" if runs[0] == runs[1] else PLAN


def as_json(decision: Decision, runs: tuple[str, str], beside: Beside) -> dict[str, Any]:
    """The contract of `compare --json`; `detectable` is of the measure that decides."""
    comparison, chosen = decision.comparison, decision.metric
    value: dict[str, Any] = {
        "a": comparison.a,
        "b": comparison.b,
        "runs": list(runs),
        "tasks": comparison.tasks,
        "clusters": chosen.clusters,
        "metrics": metrics_json(comparison.metrics),
        "detectable": chosen.detectable,
        "needed": {str(points): tasks for points, tasks in needed(chosen).items()},
        "left_out": {
            "only_one_asked": comparison.left_out.only_one_asked,
            "not_counted": comparison.left_out.not_counted,
        },
        "sentence": " ".join(
            summary(comparison, decision.name, plan_of(runs), turns=bool(beside.missing))
        ),
        "languages": [
            {
                "language": one.language,
                "tasks": one.comparison.metrics[decision.name].units,
                "metrics": metrics_json(one.comparison.metrics),
                "sentence": one.sentence(decision.name),
            }
            for one in beside.languages
        ],
        "missing": beside.missing,
        "advice": advice_of_two(comparison, decision.name, beside, decision.margin),
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
    if weak := beside.weak:
        value["weak"] = {
            "tasks": weak.units,
            "of": weak.of,
            "without": metrics_json(weak.without.metrics) if weak.without else None,
            "sentence": weak.sentence(decision.name),
        }
    if decision.margin:
        value["margin"] = margin_json(comparison, decision.margin)
    if decision.bayes:
        size = decision.margin.size if decision.margin else 0.0
        value["bayes"] = {
            "better": decision.chance_better(),
            "not_worse": decision.chance_better(size) if decision.margin else None,
            "sentence": chance_sentence(decision),
        }
    if comparison.by:
        value["groups"] = [
            dict(zip(comparison.by, labels, strict=True))
            | {"tasks": next(iter(metrics.values())).units, "metrics": metrics_json(metrics)}
            for labels, metrics in comparison.groups.items()
        ]
    return value


def margin_json(comparison: Comparison, margin: Margin) -> dict[str, Any]:
    share = margin.metric.measure.scale.is_share
    return {
        "points": 100 * margin.size if share else margin.size,
        "answer": margin.answer,
        "sentence": margin_sentence(comparison, margin),
    }


def matrix_json(matrix: Matrix, run: str) -> dict[str, Any]:
    """The contract of `compare --json` for more than two tools."""
    return {
        "run": run,
        "tools": list(matrix.tools),
        "tasks": matrix.tasks,
        "measure": matrix.decides.name,
        "pairs": [
            {"a": pair.a, "b": pair.b, "metrics": metrics_json(pair.metrics)}
            for pair in matrix.pairs
        ],
        "ranks": {tool: list(matrix.ranks[tool]) for tool in matrix.tools},
    }


def metrics_json(metrics: Mapping[str, Metric]) -> dict[str, Any]:
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
            "effect": metric.effect,
            "ahead": metric.ahead,
            "behind": metric.behind,
            "clusters": metric.clusters,
        }
        for name, metric in metrics.items()
    }
