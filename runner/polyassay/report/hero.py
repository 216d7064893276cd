"""The head of the first page: the difference to draw, what to do about it, and what it is about."""

from collections.abc import Iterator
from functools import reduce

from polyassay.measures.comparing.beside import Beside
from polyassay.measures.comparing.many import Matrix
from polyassay.measures.comparing.margins import margin_of
from polyassay.measures.comparing.sentences import (
    evidence,
    headline,
    margin_sentence,
    outlook,
    solved_sentence,
)
from polyassay.measures.comparing.two import Comparison
from polyassay.measures.results import Results
from polyassay.measures.scores import Row, ScoreTable
from polyassay.measures.table import HEADLINE, Measure, measure
from polyassay.measures.units import Scores
from polyassay.report.comparing.advice import advice_of_two
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Points, ends_text, value_text
from polyassay.report.views import Hero
from polyassay.texts import say
from polyassay.wording import asked_told, counted


def answer(
    table: ScoreTable,
    found: Comparison | None,
    matrix: Matrix | None,
    beside: Beside,
    name: str,
) -> tuple[str, list[str]]:
    """The headline and what stands below it."""
    if matrix:
        return _ranked_answer(matrix)
    if found is None:
        return _answer_of_one(table.rows[0], measure(name))
    told = evidence(found, name)
    if not told.startswith((found.a, found.b)):  # a tool's name stays as it is
        told = told[0].upper() + told[1:]
    first = [say("{sentence}.", sentence=told), *solved_sentence(found, name)]
    return headline(found, name, turns=bool(beside.missing)), [
        reduce(lambda x, y: say("{first} {second}", first=x, second=y), first),
        *outlook(found, name, ""),
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


def hero(found: Comparison, name: str, margin: float | None, beside: Beside) -> Hero:
    """`margin`: the points by which the second tool may be worse."""
    metric = found.metrics[name]
    asked = margin_of(metric, margin)
    advice = [margin_sentence(found, asked)] if asked else []
    advice += advice_of_two(found, name, beside, asked)
    if not metric.measure.scale.is_share:
        return Hero(found.a, found.b, None, None, tuple(advice))
    drawn = Points(metric.difference, metric.interval.low, metric.interval.high)
    if not metric.measure.more_is_better:
        drawn = _turned(drawn)
    size = asked.size if asked else None
    if drawn.value < 0:  # as the sentence above it says: who is ahead, by what
        return Hero(found.b, found.a, _turned(drawn), size, tuple(advice), 1, 0)
    return Hero(found.a, found.b, drawn, -size if size else None, tuple(advice))


def _turned(points: Points) -> Points:
    return Points(0.0 - points.value, 0.0 - points.high, 0.0 - points.low)


def facts(results: Results, suites: str, scores: Scores) -> Iterator[str]:
    """Under the headline: what was run, when, and how."""
    yield suites
    units = {unit.unit for of in scores.values() for unit in of if not unit.left_out}
    tasks = len({unit.task_key for unit in units})
    told = asked_told(len(units), tasks)
    yield (
        say("{tasks} (of {all} in the suites)", tasks=told, all=results.in_suites)
        if tasks < results.in_suites
        else told
    )
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
