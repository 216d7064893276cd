"""The head of the first page: the difference to draw, what to do about it, and what it is about."""

from collections.abc import Iterator, Sequence

from polyassay.measures.comparing.beside import Beside
from polyassay.measures.comparing.by_language import OfLanguage
from polyassay.measures.comparing.many import Matrix
from polyassay.measures.comparing.margins import Margin, margin_of
from polyassay.measures.comparing.planning import needed
from polyassay.measures.comparing.sentences import (
    amount,
    evidence,
    headline,
    margin_sentence,
    number,
    outlook,
)
from polyassay.measures.comparing.two import Answer, Comparison, Metric
from polyassay.measures.results import Results
from polyassay.measures.scores import Row, ScoreTable
from polyassay.measures.table import HEADLINE, Measure, measure
from polyassay.measures.units import Scores
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Points, ends_text, value_text
from polyassay.report.views import Hero
from polyassay.texts import say
from polyassay.wording import asked_told, counted

_WORTH_SHOWING = (10, 5)  # points that a team would want to know of; the last decides

_CHOOSE = "Choose {tool}, unless its price or its speed speaks against it."


def answer(
    table: ScoreTable,
    found: Comparison | None,
    matrix: Matrix | None,
    beside: Beside,
    name: str,
    plan: str,
) -> tuple[str, list[str]]:
    """The headline and what stands below it."""
    if matrix:
        return _ranked_answer(matrix)
    if found is None:
        return _answer_of_one(table.rows[0], measure(name))
    told = evidence(found, name)
    if not told.startswith((found.a, found.b)):  # a tool's name stays as it is
        told = told[0].upper() + told[1:]
    return headline(found, name), [
        say("{sentence}.", sentence=told),
        *outlook(found, name, plan),
        *beside.language_lines(name),
        *([beside.weak.sentence(name)] if beside.weak else []),
    ]


def _answer_of_one(row: Row, by: Measure) -> tuple[str, list[str]]:
    cell = estimate_cell(row.score[by.name], by)
    told = {"tool": row.tool, "tasks": counted(row.score.tasks, "task"), "measure": say(by.title)}
    if cell is None:
        return say("{measure} of {tool} is unknown", **told), []
    solving = "{tool} solves {value} of {tasks}"
    first = solving if by.name == HEADLINE.name else "{measure} of {tool} is {value} on {tasks}"
    unit = "The 95 % interval is {ends} %." if by.scale.is_share else "The 95 % interval is {ends}."
    ends = ends_text(cell)
    return say(first, value=value_text(cell), **told), [say(unit, ends=ends)] if ends else []


def _ranked_answer(matrix: Matrix) -> tuple[str, list[str]]:
    """Who may be the best of many, which follows from all pairs and not from the best two."""
    first = matrix.may_be_best
    pairs = counted(len(matrix.pairs), "pair")
    tasks, count = asked_told(matrix.tasks, matrix.distinct), len(matrix.tools)
    tested = say("{pairs} of tools were tested together on {tasks}.", pairs=pairs, tasks=tasks)
    if len(first) == 1:
        return say("{tool} is the best of {count}", tool=first[0], count=count), [tested]
    worse = count - len(first)
    told = [say("{tools} may each be the best.", tools=say(", ").join(first))]
    if worse:
        told.append(say("{worse} of {count} can be ruled out.", worse=worse, count=count))
    return say("Cannot tell which is better"), [" ".join(told), tested]


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


def hero(found: Comparison, name: str, margin: float | None, beside: Beside) -> Hero:
    """`margin`: the points by which the second tool may be worse."""
    metric = found.metrics[name]
    asked = margin_of(metric, margin)
    advice = [margin_sentence(found, asked)] if asked else []
    advice += [beside.missing] if beside.missing else _advice(found, name, beside.languages, asked)
    if not metric.measure.scale.is_share:
        return Hero(found.a, found.b, None, None, tuple(advice))
    drawn = Points(metric.difference, metric.interval.low, metric.interval.high)
    if not metric.measure.more_is_better:
        drawn = _turned(drawn)
    if drawn.value < 0 and not asked:  # as the sentence above it says: who is ahead, by what
        return Hero(found.b, found.a, _turned(drawn), None, tuple(advice), 1, 0)
    return Hero(found.a, found.b, drawn, asked.size if asked else None, tuple(advice))


def _turned(points: Points) -> Points:
    return Points(0.0 - points.value, 0.0 - points.high, 0.0 - points.low)


def _advice(
    found: Comparison, name: str, languages: Sequence[OfLanguage], asked: Margin | None
) -> list[str]:
    metric = found.metrics[name]
    better = {Answer.BETTER: found.b, Answer.WORSE: found.a}.get(metric.answer, "")
    known = [one for one in languages if one.better(name)]
    if known and any(one.better(name) != better for one in known):
        return [
            say("For {language} choose {tool}.", language=_title(one), tool=one.better(name))
            for one in known
        ] + [_cannot_tell_of(languages, name)] * (len(known) < len(languages))
    if not better:
        return [_undecided(found, metric, asked)]
    told = [say(_CHOOSE, tool=better)]
    return told + [_cannot_tell_of(languages, name)] * (len(known) < len(languages))


def _title(one: OfLanguage) -> str:
    return one.language.capitalize()


def _cannot_tell_of(languages: Sequence[OfLanguage], name: str) -> str:
    names = say(", ").join(_title(one) for one in languages if not one.better(name))
    return say("For {languages} alone it cannot be told.", languages=names)


def _undecided(found: Comparison, metric: Metric, asked: Margin | None) -> str:
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
    takes = [
        {"points": f"{size:g}", "tasks": f"{tasks:,}"}
        for size, tasks in needed(metric, worth).items()
        if tasks and tasks > metric.units
    ]
    if not takes:
        return told
    first = say(
        "To show a difference of {points} points takes about {tasks} tasks like these", **takes[0]
    )
    others = [say("one of {points} points about {tasks}", **each) for each in takes[1:]]
    return f"{told} {say('{sentence}.', sentence=say(', ').join([first, *others]))}"


def facts(results: Results, suites: str, scores: Scores) -> Iterator[str]:
    """Under the headline: what was run, when, and how."""
    yield suites
    units = {unit.unit for of in scores.values() for unit in of if not unit.left_out}
    yield asked_told(len(units), len({unit.task_key for unit in units}))
    yield results.run.created[:10]
    counts = {len(unit.samples) for units in scores.values() for unit in units if unit.samples}
    if counts:
        least, most = min(counts), max(counts)
        yield (
            say("{samples} a task", samples=counted(most, "sample"))
            if least == most
            else say("{least} to {most} samples a task", least=least, most=most)
        )
    # A limit is told with the suites.
    for name, value in results.run.provenance.get("options", {}).items():
        if value not in (None, "", False, [], {}) and name in ("eval_tests", "timeout"):
            yield say(f"{name.replace('_', ' ')} {{value}}", value=value)
