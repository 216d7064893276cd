"""The report's first page: all figures, as plain values for the templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.beside import Beside, beside
from polyassay.measures.comparing.many import Matrix, compare_all
from polyassay.measures.comparing.sentences import plan_note
from polyassay.measures.comparing.two import Comparison, compare, pairs_of
from polyassay.measures.doubts import EMPTY, REFERENCE, Doubts
from polyassay.measures.results import Results
from polyassay.measures.scores import Row, ScoreTable, score_table
from polyassay.measures.table import HEADLINE, Measure
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import (
    Scores,
    TaskKey,
    Unit,
    UnitScore,
    same_for_all,
)
from polyassay.model import Outcome
from polyassay.report.charts import BINS, dot_position, histogram_bin
from polyassay.report.comparing.advice import advice_of_many
from polyassay.report.comparing.comparison import matrix_table
from polyassay.report.comparing.gaps import gaps_table
from polyassay.report.comparing.pairs import rank
from polyassay.report.hero import answer, facts, hero
from polyassay.report.score_table import (
    estimate_cell,
    failure_shares,
    failures_table,
    footnotes,
    unanswered_note,
)
from polyassay.report.sections.costs import cost_table, priced_tools
from polyassay.report.sections.glossary import words_met
from polyassay.report.sections.groups import group_scores
from polyassay.report.sections.heatmap import heatmap
from polyassay.report.sections.provenance import provenance, suites_told
from polyassay.report.tables import OutOf, Table
from polyassay.report.tasks.chosen import WantedPages, number_pages, pages_note
from polyassay.report.trust.card import TrustCard
from polyassay.report.views import (
    BEST_FIRST,
    Dot,
    HeadToHead,
    Quadrants,
    RankRange,
    Site,
    SuiteHistory,
    TaskRow,
    ToolResult,
    ToolScore,
)
from polyassay.texts import say


def make_site(
    results: Results,
    wanted: WantedPages,
    doubted: Doubts,
    rubric: Sequence[Table] = (),
    margin: float | None = None,
    cards: Sequence[TrustCard] = (),
    histories: Sequence[SuiteHistory] = (),
    by: Measure = HEADLINE,
) -> Site:
    """Everything on the first page, in its order; `by` is the measure that decides."""
    built_in = [tool for tool in results.scores if tool in (REFERENCE, EMPTY)]
    rivals = [tool for tool in results.scores if tool not in built_in]
    scores = same_for_all({tool: results.scores[tool] for tool in (rivals + built_in)})
    table = score_table(scores, besides=[by.name])
    if len(rivals) > 2:  # of many, the best come first, in colours of their own
        rivals = _best_first(table, rivals, by)
        scores = {tool: scores[tool] for tool in (*rivals, *built_in)}
        table = score_table(scores, besides=[by.name])
    shown = _shown(table, by)
    pair = _best_two(table, rivals, by)
    if pair and not _comparable(scores[pair[0]], scores[pair[1]], by):
        pair = []
    sides = [(tool, scores[tool]) for tool in pair]
    found = compare(sides[0], sides[1], besides=[by.name]) if sides else None
    matrix = _matrix(scores, rivals, by) if len(rivals) > 2 else None
    two = found if not matrix else None
    told = (
        beside(sides[0], sides[1], two, doubted.weak, by.name, results.in_suites)
        if two
        else Beside()
    )
    first, sentences = answer(table, found, matrix, told, by.name)
    pages = number_pages(wanted, results.tasks, scores, pair)
    asked = len({unit.unit.task_key for units in scores.values() for unit in units})
    tasks = _task_rows(results, scores, pages)
    missing = unanswered_note([(row.tool, row.score.unanswered) for row in table.rows])
    sentences += missing
    planning = plan_note(two.metrics[by.name], f"--from {results.run.id}") if two else []
    every = [*planning, *footnotes(table, results, doubted, small_print=True)]
    notes = [note for note in every if note not in sentences]
    trust = {card.suite.name: card.lines() for card in cards}
    small_print = [*notes, *(part for lines in trust.values() for line in lines for part in line)]
    priced = priced_tools(scores, by)
    samples = {len(u.samples) for of in scores.values() for u in of if u.samples}
    groups = group_scores(scores, pair, by)
    words = [
        *sentences,
        *(say(group.kind) for group in groups),
        *small_print,
        *(say(o.replace("_", " ")) for o in _endings(table)),
    ]
    head = hero(two, by.name, margin, told) if two else None
    return Site(
        title=say(
            "{suites} · run {run}",
            suites=", ".join(results.run.provenance["suites"]),
            run=results.run.label or results.run.id,
        ),
        headline=first,
        sentences=tuple(sentences),
        facts=tuple(facts(results, suites_told(results), scores)),
        hero=head,
        advice=head.advice if head else (advice_of_many(matrix),) if matrix else (),
        by=say(by.title),
        measures=tuple(say(one.title) for one in shown),
        explained=_explained(shown),
        tools=tuple(scores),
        scores=tuple(_tool_score(row, shown, scores[row.tool]) for row in table.rows),
        head_to_head=_head_to_head(found, scores) if found else None,
        groups=tuple(groups),
        failures=failures_table(table),
        failure_shares=tuple(failure_shares(table)),
        gaps=gaps_table(scores, by),
        rivals=matrix_table(matrix) if matrix else None,
        ranks=tuple(_rank_ranges(matrix, scores)) if matrix else (),
        rubric=tuple(rubric),
        tasks=tuple(tasks),
        pages_note=pages_note(wanted, pages, asked, pair),
        last_page=max(pages.values(), default=0),
        provenance=tuple(provenance(results)),
        notes=tuple(notes),
        trust=trust,
        histories=tuple(histories),
        words=tuple(words_met(words)),
        priced=tuple(priced),
        costs=cost_table(scores, priced, by) if priced else None,
        uneven=len(samples) > 1,
        several=max(samples, default=1) > 1,
        heatmap=heatmap(tasks, list(scores)) if len(scores) > 2 and tasks else None,
    )


def _endings(table: ScoreTable) -> list[Outcome]:
    return [o for o in Outcome if any(row.score.outcomes.get(o) for row in table.rows)]


def _shown(table: ScoreTable, by: Measure) -> list[Measure]:
    """The columns of the scores: what decides in front."""
    if by not in table.measures:
        raise PolyAssayError(
            f"{by.title} is not known of any task of this run.",
            hint="Ask for another measure; `polyassay measures` measures the texts of answers.",
        )
    return [by, *(one for one in table.measures if one != by)]


def _explained(shown: Sequence[Measure]) -> str:
    """What the columns mean, where their titles do not say it."""
    told = [
        say("{measure}: {means}.", measure=say(one.title), means=say(one.means, needs=one.needs))
        for one in shown
        if one.means
    ]
    parts = [say("With 95 % intervals."), *told]
    return reduce(lambda first, second: say("{first} {second}", first=first, second=second), parts)


def _comparable(a: Sequence[UnitScore], b: Sequence[UnitScore], by: Measure) -> bool:
    """Whether there is a task of which the value is known for both."""
    return any(
        by.of_unit(first) is not None and by.of_unit(second) is not None
        for first, second in pairs_of(a, b)
    )


def _matrix(scores: Scores, rivals: Sequence[str], by: Measure) -> Matrix | None:
    """All rivals against each other, where there is anything that all of them have."""
    units = [{unit.unit for unit in scores[tool] if not unit.left_out} for tool in rivals]
    every = {tool: scores[tool] for tool in rivals}
    return compare_all(every, [by.name]) if set.intersection(*units) else None


def _rank_ranges(matrix: Matrix, scores: Scores) -> list[RankRange]:
    order = list(scores)
    return [
        RankRange(tool, order.index(tool), *matrix.ranks[tool], rank(*matrix.ranks[tool]))
        for tool in matrix.tools
    ]


def _best_two(table: ScoreTable, rivals: Sequence[str], by: Measure) -> list[str]:
    """The two to hold against each other, in the page's order; none where there are fewer."""
    best = _best_first(table, rivals, by)[:2]
    return [tool for tool in rivals if tool in best] if len(best) == 2 else []


def _best_first(table: ScoreTable, rivals: Sequence[str], by: Measure) -> list[str]:
    values = {row.tool: row.score[by.name].value for row in table.rows}

    def worse(tool: str) -> tuple[bool, float, str]:
        value = values[tool]
        return value is None, (-1 if by.more_is_better else 1) * (value or 0.0), tool

    return sorted(rivals, key=worse)


def _tool_score(row: Row, shown: Sequence[Measure], units: Sequence[UnitScore]) -> ToolScore:
    found = row.score
    bins = Counter(histogram_bin(unit.ratio) for unit in units if not unit.left_out)
    return ToolScore(
        row.tool,
        tuple(estimate_cell(found[one.name], one) for one in shown),
        OutOf(found.solved, found.tasks),
        {o: found.outcomes[o] for o in BEST_FIRST if found.outcomes.get(o)},
        tuple(bins[i] for i in range(len(BINS))),
        found.failures.get(Failure.NO_ANSWER, 0),
    )


def _head_to_head(found: Comparison, scores: Scores) -> HeadToHead:
    a = {unit.unit: unit.ratio for unit in scores[found.a] if not unit.left_out}
    b = {unit.unit: unit.ratio for unit in scores[found.b] if not unit.left_out}
    both = [(a[unit], b[unit]) for unit in a if unit in b]
    dots = Counter((dot_position(x), dot_position(y)) for x, y in both)
    ahead, behind = sum(y > x for x, y in both), sum(y < x for x, y in both)
    return HeadToHead(
        found.a,
        found.b,
        _quadrants(scores[found.a], scores[found.b]),
        tuple(Dot(x, y, count) for (x, y), count in sorted(dots.items())),
        ahead,
        behind,
        len(both) - ahead - behind,
        *(list(scores).index(tool) for tool in (found.a, found.b)),
    )


def _quadrants(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> Quadrants:
    first = {unit.unit: unit.passed > 0 for unit in a if not unit.left_out}
    second = {unit.unit: unit.passed > 0 for unit in b if not unit.left_out}
    cells = Counter((solved, second[unit]) for unit, solved in first.items() if unit in second)
    return Quadrants(
        both=cells[True, True],
        only_a=cells[True, False],
        only_b=cells[False, True],
        neither=cells[False, False],
    )


def _task_rows(results: Results, scores: Scores, pages: Mapping[TaskKey, int]) -> list[TaskRow]:
    by_tool = {tool: {unit.unit: unit for unit in units} for tool, units in scores.items()}
    units: list[Unit] = list(dict.fromkeys(unit for of in by_tool.values() for unit in of))
    rows = []
    order = {key: place for place, key in enumerate(results.tasks)}
    for unit in sorted(units, key=lambda unit: (order[unit.task_key], unit.prompt_language)):
        task = results.tasks[unit.task_key]
        rows.append(
            TaskRow(
                pages.get(unit.task_key),
                task.id,
                task.suite,
                task.language,
                unit.prompt_language,
                task.prompts.get(unit.prompt_language, ""),
                tuple(_result(of.get(unit)) for of in by_tool.values()),
            )
        )
    return rows


def _result(unit: UnitScore | None) -> ToolResult | None:
    if unit is None or not unit.samples:
        return None
    first = unit.samples[0]
    return ToolResult(first.outcome, unit.ratio, *first.tests, unit.passed, len(unit.samples))
