"""`grade graders` and agreement as people and programs read them; tools are named nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from polyassay.report.grading.preferring import leaning_sentence
from polyassay.report.tables import Amount, Cell, Table
from polyassay.rubric.figures.agreeing import Agreement, Figure
from polyassay.rubric.figures.graders import GraderFigures, Shift
from polyassay.rubric.figures.models import ModelFigures
from polyassay.rubric.rubrics import Dimension, Rubric


def graders_table(found: Sequence[GraderFigures], rubric: Rubric) -> Table:
    """One line a grader and dimension; then, in words, who needs a talk."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for d in rubric.dimensions:
            own = one.consistency.get(d.id)
            rows.append(
                (
                    one.grader,
                    d.id,
                    one.scores.get(d.id, 0),
                    _shift(one.severity.get(d.id)),
                    _shift(one.calibration.get(d.id)),
                    _shift(one.drift.get(d.id)),
                    _shift(one.over_time.get(d.id)),
                    f"{100 * own.same:.0f} % of {own.items}" if own else "–",
                    figure_text(one.kappa[d.id]) if d.id in one.kappa else "–",
                )
            )
    columns = (
        "grader",
        "dimension",
        "scores",
        "severity",
        "calibration",
        "drift",
        "over time",
        "again",
        "kappa",
    )
    return Table(columns, tuple(rows), tuple(talk_lines(found)))


def times_table(found: Sequence[GraderFigures]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (one.grader, one.timed, f"{one.seconds:.1f} s" if one.seconds else "–", one.too_fast)
        for one in found
    ]
    return Table(("grader", "timed items", "median", "too fast"), tuple(rows))


def talk_lines(found: Sequence[GraderFigures]) -> list[str]:
    """Who needs a talk, and why."""
    told = [f"Talk to {one.grader}: {'; '.join(one.talk)}." for one in found if one.talk]
    return told or ["Nobody needs a talk."]


def _shift(shift: Shift | None) -> Cell:
    if shift is None:
        return "–"
    return Amount(shift.value, shift.interval.low, shift.interval.high)


def agreement_rows(dimensions: Sequence[Dimension], found: Mapping[str, Agreement]) -> Table:
    """Alpha and plain agreement of all, kappa and plain agreement of every two, with intervals."""
    columns = ("", *(d.id for d in dimensions))
    rows: list[tuple[Cell, ...]] = [
        (
            "Krippendorff's alpha, all graders",
            *(_alpha(found[d.id]) for d in dimensions),
        ),
        ("the same score, all graders", *(share_text(found[d.id].same) for d in dimensions)),
    ]
    for pair in sorted({pair for one in found.values() for pair in one.pairs}):
        of = [found[d.id].pairs.get(pair) for d in dimensions]
        both = " and ".join(pair)
        rows.append((f"kappa, {both}", *(figure_text(p.kappa) if p else "–" for p in of)))
        rows.append((f"the same score, {both}", *(share_text(p.same) if p else "–" for p in of)))
    return Table(columns, tuple(rows))


def _alpha(of: Agreement) -> str:
    return figure_text(of.alpha) if of.graders > 1 else "needs a second grader"


def figure_text(figure: Figure) -> str:
    if figure.value is None:
        return "not defined"
    ends = f"  {figure.interval.low:.2f}–{figure.interval.high:.2f}" if figure.interval else ""
    return f"{figure.value:.3f}{ends}  of {figure.n}"


def share_text(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    ends = figure.interval
    told = f"  {100 * ends.low:.0f}–{100 * ends.high:.0f}" if ends else ""
    return f"{100 * figure.value:.0f} %{told}  of {figure.n}"


def figure_json(figure: Figure) -> dict[str, Any]:
    ends = figure.interval
    return {
        "value": figure.value,
        "low": ends.low if ends else None,
        "high": ends.high if ends else None,
        "n": figure.n,
    }


def agreement_json(found: Mapping[str, Agreement]) -> dict[str, Any]:
    """Dimension → figures with their intervals, of all graders and of every two."""
    return {
        name: {
            "alpha": figure_json(one.alpha),
            "percent": figure_json(one.same),
            "pairs": {
                ",".join(pair): {
                    "kappa": figure_json(of.kappa),
                    "percent": figure_json(of.same),
                }
                for pair, of in one.pairs.items()
            },
        }
        for name, one in found.items()
    }


def graders_json(found: Sequence[GraderFigures], models: Sequence[ModelFigures]) -> dict[str, Any]:
    """The contract of `grade graders --json`."""
    return {
        "graders": {one.grader: _without_name(asdict(one)) for one in found},
        "models": {
            one.grader: {
                "facts": dict(one.facts),
                "scores": {
                    name: {
                        "kappa": figure_json(of.kappa),
                        "close": figure_json(of.same),
                        "severity": asdict(of.severity) if of.severity else None,
                        "by_length": figure_json(of.by_length),
                    }
                    for name, of in one.scores.items()
                },
                "choices": figure_json(one.choices) if one.choices else None,
                "position": asdict(one.leaning) if one.leaning else None,
            }
            for one in models
        },
    }


def _without_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "grader"}


def models_lines(found: Sequence[ModelFigures]) -> list[Table | str]:
    """Each model against people."""
    parts: list[Table | str] = []
    for one in found:
        rows: list[tuple[Cell, ...]] = [
            (
                name,
                figure_text(of.kappa),
                share_text(of.same),
                _shift(of.severity),
                figure_text(of.by_length),
            )
            for name, of in one.scores.items()
        ]
        model = one.facts.get("model")
        named = f" ({model})" if model else ""
        parts.append(f"{one.grader}{named} is a model, held against people:")
        figures = ("kappa", "within half a point", "severity", "with length (rho)")
        if rows:
            parts.append(Table(("dimension", *figures), tuple(rows)))
        if one.choices:
            parts.append(f"Prefers as people do: {share_text(one.choices)}.")
        if one.leaning:
            parts.append(leaning_sentence(one.leaning).replace("Graders lean", "It leans"))
    return parts
