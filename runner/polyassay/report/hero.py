"""The head of the first page: the difference to draw, what to do about it, and what it is about."""

from collections.abc import Iterator

from polyassay.measures.comparing.margins import margin_of
from polyassay.measures.comparing.planning import needed
from polyassay.measures.comparing.sentences import margin_sentence
from polyassay.measures.comparing.two import Answer, Comparison
from polyassay.measures.results import Results
from polyassay.measures.units import Scores
from polyassay.report.tables import Points
from polyassay.report.views import Hero
from polyassay.texts import say
from polyassay.wording import counted

_WORTH_SHOWING = 5  # points that a team would want to know of


def hero(found: Comparison, name: str, margin: float | None) -> Hero:
    """`margin`: the points by which the second tool may be worse."""
    metric = found.metrics[name]
    asked = margin_of(metric, margin)
    advice = [margin_sentence(found, asked)] if asked else []
    return Hero(
        found.a,
        found.b,
        Points(metric.difference, metric.interval.low, metric.interval.high),
        asked.size if asked else None,
        (*advice, *_advice(found, name)),
    )


def _advice(found: Comparison, name: str) -> Iterator[str]:
    metric = found.metrics[name]
    if metric.answer is not Answer.CANNOT_TELL:
        better = found.b if metric.answer is Answer.BETTER else found.a
        advice = "Choose {tool}, unless its price or its speed speaks against it."
        yield say(advice, tool=better)
        return
    tasks = needed(metric).get(_WORTH_SHOWING)
    if tasks and tasks > metric.clusters:
        yield say(
            "Choose on price or speed, or add tasks: about {tasks} like these would show a "
            "difference of {points} points.",
            tasks=f"{tasks:,}",
            points=_WORTH_SHOWING,
        )
    else:
        yield say("Choose on price or speed: a difference that matters would have shown.")


def facts(results: Results, suites: str, scores: Scores) -> Iterator[str]:
    """Under the headline: what was run, when, and how."""
    yield suites
    yield results.run.created[:10]
    counts = {len(unit.samples) for units in scores.values() for unit in units if unit.samples}
    if counts:
        least, most = min(counts), max(counts)
        yield (
            say("{samples} a task", samples=counted(most, "sample"))
            if least == most
            else say("{least} to {most} samples a task", least=least, most=most)
        )
    for name, value in results.run.provenance.get("options", {}).items():
        if value not in (None, "", False, [], {}) and name in ("eval_tests", "timeout", "limit"):
            yield say(f"{name.replace('_', ' ')} {{value}}", value=value)
