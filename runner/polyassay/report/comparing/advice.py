"""What to do about an answer, in sentences no firmer than the evidence."""

from collections.abc import Sequence

from polyassay.measures.comparing.beside import Beside
from polyassay.measures.comparing.by_language import OfLanguage
from polyassay.measures.comparing.many import Matrix
from polyassay.measures.comparing.margins import Margin
from polyassay.measures.comparing.missing import Remaining
from polyassay.measures.comparing.planning import POWERS, needed
from polyassay.measures.comparing.sentences import amount, number
from polyassay.measures.comparing.two import Answer, Comparison, Metric
from polyassay.measures.table import RATIO
from polyassay.texts import say

_WORTH_SHOWING = (10, 5)  # points that a team would want to know of; the last decides
_WIDE = 0.5  # of an interval, from end to end: who is ahead by 12.9 or by 93.7 points is not known
_SAMPLES = 5  # a task, that a team could as well ask for

_CHOOSE = "Choose {tool}, unless its price or its speed speaks against it."


def advice_of_many(matrix: Matrix) -> str:
    """What to do where ranks are ranges: price decides only among tools that are surely alike."""
    first = matrix.may_be_best
    if len(first) == 1:
        return say(_CHOOSE, tool=first[0])
    ends = [
        max(-one.interval.low, one.interval.high)
        for one in matrix.versus()
        if {one.first, one.second} <= set(first)
    ]
    tools, worth, scale = say(", ").join(first), _WORTH_SHOWING[-1], matrix.decides.scale
    if not ends:
        return say("Too few values are known to choose among {tools}.", tools=tools)
    if scale.is_share and 100 * max(ends) <= worth:
        return say(
            "Choose among {tools} on price or speed: a difference of {points} points would have "
            "shown.",
            tools=tools,
            points=f"{worth:g}",
        )
    return say(
        "Too few tasks were run to choose among {tools}: one may be {much} better than another. "
        "Add tasks to tell them apart.",
        tools=tools,
        much=amount(max(ends), scale),
    )


def advice_of_two(found: Comparison, name: str, beside: Beside, asked: Margin | None) -> list[str]:
    """`asked`: the points by which the second tool may be worse."""
    if beside.missing:
        return [beside.missing]
    metric, languages = found.metrics[name], beside.languages
    better = _better(found, metric)
    known = [one for one in languages if one.better(name)]
    rest = beside.remaining
    if known and any(one.better(name) != better for one in known):
        told = [_remaining(rest)] if rest and rest.most else []
        told += [
            say("For {language} choose {tool}.", language=_title(one), tool=one.better(name))
            for one in known
        ]
        return told + [_cannot_tell_of(languages, name)] * (len(known) < len(languages))
    if not better:
        return [_undecided(found, metric, beside, asked)]
    told = _unsure(found, metric, rest) or [say(_CHOOSE, tool=better)]
    return told + [_cannot_tell_of(languages, name)] * (len(known) < len(languages))


def _unsure(found: Comparison, metric: Metric, rest: Remaining | None) -> list[str]:
    """What stands against a choice although the answer is there; empty where nothing does."""
    better, told = _better(found, metric), []
    if rest and rest.most:
        told.append(_remaining(rest))
    span = metric.interval.high - metric.interval.low
    if metric.measure.scale.is_share and span >= _WIDE:
        ends = sorted(abs(end) for end in (metric.interval.low, metric.interval.high))
        low, high = (number(end, metric.measure.scale) for end in ends)
        told.append(
            say("it may be ahead by {low} points or by {high}: add tasks.", low=low, high=high)
        )
    other = found.metrics.get(RATIO) if metric.measure.name != RATIO else None
    if other and (of_other := _better(found, other)) != better:
        title = say(other.measure.title)
        told.append(
            say("by {measure} {tool} is better.", measure=title, tool=of_other)
            if of_other
            else say("by {measure} it cannot be told.", measure=title)
        )
    first, *more = told or [""]
    sentences = [say("Likely {tool}; {reason}", tool=better, reason=first)] if first else []
    return sentences + [each[0].upper() + each[1:] for each in more]


def _better(found: Comparison, metric: Metric) -> str:
    return {Answer.BETTER: found.b, Answer.WORSE: found.a}.get(metric.answer, "")


def _remaining(rest: Remaining) -> str:
    return say(
        "{rest} of {all} tasks of these suites were not answered by both: get those answers "
        "before you decide.",
        rest=rest.tasks,
        all=rest.of,
    )


def _title(one: OfLanguage) -> str:
    return one.language.capitalize()


def _cannot_tell_of(languages: Sequence[OfLanguage], name: str) -> str:
    names = say(", ").join(_title(one) for one in languages if not one.better(name))
    return say("For {languages} alone it cannot be told.", languages=names)


def _undecided(found: Comparison, metric: Metric, beside: Beside, asked: Margin | None) -> str:
    """Price decides only where a difference that matters is ruled out; else there is too little."""
    worth = (100 * asked.size,) if asked else _WORTH_SHOWING
    scale, ends = metric.measure.scale, metric.interval
    ranges = (-ends.low, ends.high) if metric.measure.more_is_better else (ends.high, -ends.low)
    behind, ahead = ranges
    if scale.is_share and 100 * max(behind, ahead) <= worth[-1]:
        return say(
            "Choose on price or speed: a difference of {points} points would have shown.",
            points=f"{worth[-1]:g}",
        )
    told = say(
        "Too few tasks were run to choose by: {b} may be {ahead} points better, or {a} {behind}."
        if scale.is_share
        else "Too few tasks were run to choose by: {b} may be {ahead} better, or {a} {behind}.",
        a=found.a,
        b=found.b,
        ahead=number(ahead, scale) if scale.is_share else amount(ahead, scale),
        behind=number(behind, scale) if scale.is_share else amount(behind, scale),
    )
    rest = beside.remaining
    parts = [told, *([_remaining(rest)] if rest and rest.many else [])]
    return " ".join([*parts, *_takes(metric, worth, beside)])


def _takes(metric: Metric, worth: Sequence[float], beside: Beside) -> list[str]:
    """How many tasks differences need, and how many with more samples of each."""
    takes = [
        {"points": f"{size:g}", "tasks": f"{tasks:,}"}
        for size, tasks in needed(metric, worth).items()
        if tasks and tasks > metric.units
    ]
    if not takes:
        return []
    first = say(
        "To show a difference of {points} points takes about {tasks} tasks like these", **takes[0]
    )
    parts = [first, *(say("one of {points} points about {tasks}", **each) for each in takes[1:])]
    told = [say("{sentence}.", sentence=say(", ").join(parts))]
    spread = beside.spread
    if spread and 0 < spread.seen < _SAMPLES:
        points = takes[0]["points"]
        fewer = spread.tasks(float(points) / 100, _SAMPLES, POWERS[0])
        if fewer and f"{fewer:,}" != takes[0]["tasks"]:
            with_more = "With {samples} samples a task about {tasks} tasks show {points} points."
            told.append(say(with_more, samples=_SAMPLES, points=points, tasks=f"{fewer:,}"))
    return told
