"""The report's first page: all figures, as plain values for the templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyassay.measures.comparing.beside import Beside, beside
from polyassay.measures.comparing.many import Matrix, compare_all
from polyassay.measures.comparing.two import Comparison, Metric, compare, share_tasks
from polyassay.measures.doubts import EMPTY, REFERENCE, Doubts
from polyassay.measures.groups import NONE, grouped
from polyassay.measures.results import Results
from polyassay.measures.scores import ScoreTable, estimate, kept_units, score_table
from polyassay.measures.table import measure
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import (
    Scores,
    TaskKey,
    Unit,
    UnitScore,
    distinct_tasks,
    same_for_all,
)
from polyassay.model import Outcome
from polyassay.report.charts import BINS, dot_position, histogram_bin
from polyassay.report.comparing.comparison import matrix_table
from polyassay.report.comparing.gaps import gaps_table
from polyassay.report.comparing.pairs import p_value, rank
from polyassay.report.hero import advice_of_many, answer, facts, hero
from polyassay.report.score_table import (
    failure_shares,
    failures_table,
    footnotes,
    share,
    unanswered_note,
)
from polyassay.report.sections.costs import cost_table, priced_tools
from polyassay.report.sections.glossary import words_met
from polyassay.report.sections.heatmap import heatmap
from polyassay.report.tables import OutOf, Points, Table
from polyassay.report.tasks.chosen import WantedPages, number_pages, pages_note
from polyassay.report.trust.card import TrustCard
from polyassay.report.views import (
    BEST_FIRST,
    Dot,
    GroupScore,
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
from polyassay.wording import asked_told, counted

METRIC = "pass@1"
_GROUPS = ("language", "prompt_language", "domain", "suite")


def make_site(
    results: Results,
    wanted: WantedPages,
    doubted: Doubts,
    rubric: Sequence[Table] = (),
    margin: float | None = None,
    cards: Sequence[TrustCard] = (),
    histories: Sequence[SuiteHistory] = (),
) -> Site:
    """Everything on the first page, in its order."""
    built_in = [tool for tool in results.scores if tool in (REFERENCE, EMPTY)]
    rivals = [tool for tool in results.scores if tool not in built_in]
    scores = same_for_all({tool: results.scores[tool] for tool in (rivals + built_in)})
    table = score_table(scores)
    pair = _best_two(table, rivals)
    if pair and not share_tasks(scores[pair[0]], scores[pair[1]]):
        pair = []
    found = compare(*((tool, scores[tool]) for tool in pair)) if pair else None  # type: ignore[arg-type]
    matrix = _matrix(scores, rivals) if len(rivals) > 2 else None
    two = [(tool, scores[tool]) for tool in pair] if found and not matrix else []
    told = beside(two[0], two[1], found, doubted.weak, METRIC) if two and found else Beside()
    first, sentences = answer(table, found, matrix, told, METRIC)
    pages = number_pages(wanted, results.tasks, scores, pair)
    asked = len({unit.unit.task_key for units in scores.values() for unit in units})
    tasks = _task_rows(results, scores, pages)
    missing = unanswered_note([(row.tool, row.score.unanswered) for row in table.rows])
    sentences += [*missing, *results.remarks]
    notes = [note for note in footnotes(table, results, doubted) if note not in sentences]
    trust = {card.suite.name: card.lines() for card in cards}
    small_print = [*notes, *(part for lines in trust.values() for line in lines for part in line)]
    priced = priced_tools(scores)
    samples = {len(u.samples) for of in scores.values() for u in of if u.samples}
    groups = _group_scores(scores, pair)
    words = [
        *sentences,
        *(say(group.kind) for group in groups),
        *small_print,
        *(say(o.replace("_", " ")) for o in _endings(table)),
    ]
    head = hero(found, METRIC, margin, told) if found and two else None
    return Site(
        title=say(
            "{suites} · run {run}",
            suites=_suites(results),
            run=results.run.label or results.run.id,
        ),
        headline=first,
        sentences=tuple(sentences),
        facts=tuple(facts(results, _suites(results), scores)),
        hero=head,
        advice=head.advice if head else (advice_of_many(matrix),) if matrix else (),
        tools=tuple(scores),
        scores=tuple(_tool_score(row.tool, table, scores[row.tool]) for row in table.rows),
        head_to_head=_head_to_head(found, scores) if found else None,
        groups=tuple(groups),
        failures=failures_table(table),
        failure_shares=tuple(failure_shares(table)),
        gaps=gaps_table(scores),
        rivals=matrix_table(matrix) if matrix else None,
        ranks=tuple(_rank_ranges(matrix, scores)) if matrix else (),
        rubric=tuple(rubric),
        tasks=tuple(tasks),
        pages_note=pages_note(wanted, pages, asked, pair),
        last_page=max(pages.values(), default=0),
        provenance=tuple(_provenance(results)),
        notes=tuple(notes),
        trust=trust,
        histories=tuple(histories),
        words=tuple(words_met(words)),
        priced=tuple(priced),
        costs=cost_table(scores, priced) if priced else None,
        uneven=len(samples) > 1,
        several=max(samples, default=1) > 1,
        heatmap=heatmap(tasks, list(scores)) if len(scores) > 2 and tasks else None,
    )


def _endings(table: ScoreTable) -> list[Outcome]:
    return [o for o in Outcome if any(row.score.outcomes.get(o) for row in table.rows)]


def _matrix(scores: Scores, rivals: Sequence[str]) -> Matrix | None:
    """All rivals against each other, where there is anything that all of them have."""
    units = [{unit.unit for unit in scores[tool] if not unit.left_out} for tool in rivals]
    return (
        compare_all({tool: scores[tool] for tool in rivals}) if set.intersection(*units) else None
    )


def _rank_ranges(matrix: Matrix, scores: Scores) -> list[RankRange]:
    order = list(scores)
    return [
        RankRange(tool, order.index(tool), *matrix.ranks[tool], rank(*matrix.ranks[tool]))
        for tool in matrix.tools
    ]


def _value(table: ScoreTable, tool: str) -> float:
    return next(row.score[METRIC].number for row in table.rows if row.tool == tool)


def _best_two(table: ScoreTable, rivals: Sequence[str]) -> list[str]:
    """The two to hold against each other, in the run's order; none where there are fewer."""
    best = sorted(rivals, key=lambda tool: -_value(table, tool))[:2]
    return [tool for tool in rivals if tool in best] if len(best) == 2 else []


def _tool_score(tool: str, table: ScoreTable, units: Sequence[UnitScore]) -> ToolScore:
    found = next(row.score for row in table.rows if row.tool == tool)
    bins = Counter(histogram_bin(unit.ratio) for unit in units if not unit.left_out)
    return ToolScore(
        tool,
        share(found[METRIC]),
        share(found["avg_pass_ratio"]),
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


def _group_scores(scores: Scores, pair: Sequence[str]) -> list[GroupScore]:
    """By everything in which the tasks differ."""
    groups: list[GroupScore] = []
    seen: list[set[frozenset[Unit]]] = []
    for kind in _GROUPS:
        members = {tool: grouped(units, [kind]) for tool, units in scores.items()}
        names = list(dict.fromkeys(label for of in members.values() for (label,) in of))
        parts = {
            frozenset(u.unit for u in group) for of in members.values() for group in of.values()
        }
        if len([name for name in names if name != NONE]) < 2 or parts in seen:
            continue  # suites of one language each would repeat the languages
        seen.append(parts)
        sides = [(tool, scores[tool]) for tool in pair]
        tests = compare(sides[0], sides[1], by=[kind]).groups if sides else {}
        for name in names:
            if name == NONE:
                continue  # not a group of its own: what the others leave
            own = {tool: kept_units(of[name,]) for tool, of in members.items() if (name,) in of}
            shares = {tool: share(estimate(units, measure(METRIC))) for tool, units in own.items()}
            most = max(own.values(), key=len)
            group = GroupScore(
                kind, name, len(most), asked_told(len(most), distinct_tasks(most)), shares
            )
            groups.append(_tested(group, tests.get((name,))))
    return groups


def _tested(group: GroupScore, metrics: Mapping[str, Metric] | None) -> GroupScore:
    if not metrics or METRIC not in metrics:
        return group
    metric = metrics[METRIC]
    return replace(
        group,
        difference=_points(metric),
        p=p_value(metric.p_adjusted),
        answer=metric.answer.value,
    )


def _points(metric: Metric) -> Points:
    return Points(metric.difference, metric.interval.low, metric.interval.high)


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


def _suites(results: Results) -> str:
    """Their names, with how much of each was run where that is not all of it."""
    suites = results.run.provenance["suites"]
    parts = {name: _part_of(results, name) for name in suites}
    return ", ".join(f"{name} ({part})" if part else name for name, part in parts.items())


def _part_of(results: Results, suite: str) -> str:
    """What --limit let through, such as the first 4 of 30 tasks; empty where that is all."""
    limit = results.run.provenance.get("options", {}).get("limit")
    tasks = results.run.provenance["suites"][suite].get("tasks", 0)
    if not limit or limit >= tasks:
        return ""
    return say("the first {limit} of {tasks} tasks", limit=limit, tasks=tasks)


def _provenance(results: Results) -> list[tuple[str, str]]:
    facts = results.run.provenance
    suites = [
        (say("suite {name}", name=name), " · ".join(filter(None, said)))
        for name, of in facts["suites"].items()
        for said in [(of.get("version"), of["checksum"][:12], _part_of(results, name))]
    ]
    versions = [(name, str(version)) for name, version in facts.get("versions", {}).items()]
    plain = [
        (say(name), str(facts[name]))
        for name in ("engine", "judging", "sandbox", "reuse", "revision")
        if facts.get(name)
    ]
    machine = " · ".join(
        counted(value, "core") if name == "cores" else str(value)
        for name, value in facts.get("machine", {}).items()
    )
    time = say("{time} UTC", time=results.run.created[:19].replace("T", " "))
    started = [(say("run"), results.run.id), (say("started"), time)]
    return [*started, *suites, *plain, *versions, (say("machine"), machine)]
