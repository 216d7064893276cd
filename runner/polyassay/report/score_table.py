"""Scores as people and programs read them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from polyassay.measures.comparable import tries_remark
from polyassay.measures.doubts import Doubts
from polyassay.measures.groups import set_family
from polyassay.measures.results import Results
from polyassay.measures.scores import Estimate, Row, ScoreTable, ToolScore
from polyassay.measures.table import Measure, measure
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import ORIGINAL_SET, UnitScore
from polyassay.model import LUCKY, Judging, Outcome
from polyassay.report.sections.notes import luck_note, prompts_note
from polyassay.report.tables import Amount, Cell, OutOf, Points, Share, Table, per_cent
from polyassay.report.tasks.unknown import unknown_notes
from polyassay.report.views import FailureShare
from polyassay.statistics.intervals import Interval
from polyassay.texts import say
from polyassay.wording import counted

# Outcomes that get a column of their own where they occur; the others show in `solved`.
_COLUMNS = (Outcome.UNBUILT, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.CRASHED)


def as_table(table: ScoreTable, notes: Sequence[str] = ()) -> Table:
    """One line a tool and group, the columns of outcomes that occur."""
    scores = [row.score for row in table.rows]
    endings = [o for o in _COLUMNS if any(score.outcomes.get(o) for score in scores)]
    several = any(score.most_samples > 1 for score in scores)
    columns = (
        "tool",
        *(name.replace("_", " ") for name in table.by),
        *(row.title for row in table.measures),
        "solved by any" if several else "solved",
        *(ending.replace("_", " ") for ending in endings),
    )
    return Table(columns, tuple(_cells(row, table, endings) for row in table.rows), tuple(notes))


def _cells(row: Row, table: ScoreTable, endings: Sequence[Outcome]) -> tuple[Cell, ...]:
    score = row.score
    return (
        row.tool,
        *(row.group[name] for name in table.by),
        *(estimate_cell(score[of.name], of) for of in table.measures),
        OutOf(score.solved, score.tasks),
        *(score.outcomes.get(ending, 0) for ending in endings),
    )


def estimate_cell(estimate: Estimate, of: Measure) -> Cell:
    """A value with its interval; nothing where it is unknown."""
    if estimate.value is None:
        return None
    low = estimate.interval.low if estimate.interval else None
    high = estimate.interval.high if estimate.interval else None
    return value_cell(estimate.value, of, low, high)


def value_cell(
    value: float, of: Measure, low: float | None = None, high: float | None = None
) -> Cell:
    if of.scale.is_share:
        return Share(value, low, high)
    return Amount(value, low, high, of.scale.unit)


def points_cell(difference: float, ends: Interval, of: Measure) -> Cell:
    if of.scale.is_share:
        return Points(difference, ends.low, ends.high)
    return Amount(difference, ends.low, ends.high, of.scale.unit)


def share(estimate: Estimate) -> Share:
    """Of a measure between 0 and 1; what is unknown is drawn as an empty interval at 0."""
    if estimate.value is None or estimate.interval is None:
        return Share(estimate.value or 0.0)
    return Share(estimate.value, estimate.interval.low, estimate.interval.high)


def failures_table(table: ScoreTable) -> Table:
    """One line a tool and group, one column a kind of failure that occurs."""
    kinds = [kind for kind in Failure if any(kind in row.score.failures for row in table.rows)]
    by = (name.replace("_", " ") for name in table.by)
    columns = (say("tool"), *map(say, by), say("passed"), *map(say, kinds))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.tool,
            *row.group.values(),
            row.score.outcomes.get(Outcome.PASSED, 0),
            *[row.score.failures.get(kind, 0) for kind in kinds],
        )
        for row in table.rows
    )
    return Table(columns, rows)


def failure_shares(table: ScoreTable) -> Iterator[FailureShare]:
    """The same for a chart: each kind's share of the answers asked for, the largest first."""
    missing = [row.score.failures.get(Failure.NO_ANSWER, 0) for row in table.rows]
    given = [sum(row.score.outcomes.values()) for row in table.rows]
    totals = [a + b or 1 for a, b in zip(missing, given, strict=True)]
    found = []
    for kind in Failure:
        counts = tuple(row.score.failures.get(kind, 0) for row in table.rows)
        shares = tuple(count / total for count, total in zip(counts, totals, strict=True))
        if any(counts):
            found.append(FailureShare(say(kind), counts, shares))
    yield from sorted(found, key=lambda one: -max(one.shares))


def judging_note(scores: Sequence[tuple[str, ToolScore]], small_print: bool = False) -> str:
    """How much of these tools' answers was judged where an answer can forge its verdict."""
    together = [(tool, 1 - score.share_apart) for tool, score in scores]
    told = say(", ").join(f"{tool} {per_cent(part, 0)}" for tool, part in together if part)
    if not told:
        return say("All of it was judged apart.") if small_print else ""
    shares = {per_cent(part, 0) for _, part in together}
    if len(together) > 2 and len(shares) == 1:
        each = "Judged together, so not proof against forgery: {share} of each tool’s answers."
        return say(each, share=shares.pop())
    return say("Judged together, so not proof against forgery: {told} of the answers.", told=told)


def unanswered_note(tasks: Sequence[tuple[str, int]]) -> list[str]:
    """How many tasks each tool did not answer: what counts as failed without being a candidate."""
    told = say(", ").join(f"{tool} {counted(count, 'task')}" for tool, count in tasks if count)
    return [say("Without an answer, counted as failed: {told}.", told=told)] if told else []


def footnotes(
    table: ScoreTable, results: Results, doubted: Doubts, small_print: bool = False
) -> list[str]:
    """What a reader must know before believing the table; `table` has one row a tool.

    `small_print`: with what only somebody who looks for it wants to know.
    """
    notes = [*results.remarks]
    if not results.complete:
        notes.append(
            say(
                "Not complete: {judged} of {candidates} judged; "
                "go on with `polyassay run --resume {run}`.",
                judged=results.judged,
                candidates=counted(results.candidates, "candidate"),
                run=results.run.id,
            )
        )
    notes += [say("Imported: its verdicts were not judged here.")] * results.run.imported
    notes += unanswered_note([(row.tool, row.score.unanswered) for row in table.rows])
    if not table.comparable:
        told = say("; ").join(_asked(row) for row in table.rows)
        notes.append(say("Not asked the same, so do not compare these rows: {told}.", told=told))
    notes += tries_remark([row.tool for row in table.rows])
    notes += unknown_notes(results.run)
    notes += prompts_note(results)
    notes += left_out_note(list(results.scores.items()))
    notes += _unknown(table)
    notes += _too_few(table)
    if table.rows:
        judged = judging_note([(row.tool, row.score) for row in table.rows], small_print)
        notes += [judged] * bool(judged)
    reused = sum(row.score.flags.get("reused", 0) for row in table.rows)
    if reused and small_print:
        shared = (
            "{candidates} shared a JVM with others of the same tool, one after the other "
            "(`--reuse 1` keeps them apart)."
        )
        notes.append(say(shared, candidates=counted(reused, "candidate")))
    notes += luck_note(results)
    if small_print:
        using = (row for row in table.rows if row.score.sets_used.keys() - {ORIGINAL_SET})
        notes += map(_sets_note, using)
    return [*notes, *_doubt_notes(doubted)]


def _sets_note(row: Row) -> str:
    """Which assertion sets of one-to-many tasks a tool's answers met, by family."""
    families: Counter[str] = Counter()
    for name, count in row.score.sets_used.items():
        families[set_family(name)] += count
    more = say(" and {count} more kinds", count=len(families) - 4) if len(families) > 4 else ""
    return say(
        "Assertion sets that {tool} met: {told}{more}; {mean} different ones a solved task.",
        tool=row.tool,
        told=say(", ").join(f"{name} {count}" for name, count in families.most_common(4)),
        more=more,
        mean=f"{row.score.sets_per_task:.2f}",
    )


def _doubt_notes(doubted: Doubts) -> list[str]:
    kinds = {
        "Weak tests (an empty answer passes)": doubted.passes_empty,
        "Weak tests (most mutants of the reference pass)": doubted.catches_little,
        "Flaky": doubted.flaky,
        "The reference itself fails": doubted.reference_fails,
    }
    told = [
        say(f"{name}: {{tasks}}", tasks=counted(len(tasks), "task"))
        for name, tasks in kinds.items()
        if tasks
    ]
    return [say("{sentence}.", sentence=say("; ").join(told))] if told else []


def _asked(row: Row) -> str:
    languages = say(", ").join(name for name in row.score.prompt_languages if name)
    tasks = counted(row.score.tasks, "task")
    if not languages:
        return f"{row.tool} {tasks}"
    return say("{tool} {tasks} in {languages}", tool=row.tool, tasks=tasks, languages=languages)


def left_out_note(scores: Sequence[tuple[str, Sequence[UnitScore]]]) -> list[str]:
    """How many units no tool of the table is scored on, and whose loss that is."""
    lost: dict[Outcome, dict[str, set[object]]] = {}
    for tool, units in scores:
        for unit in units:
            if unit.left_out:
                lost.setdefault(unit.left_out, {}).setdefault(tool, set()).add(unit.unit)
    told = []
    if not_runnable := lost.get(Outcome.NOT_RUNNABLE):
        count = len(set.union(*not_runnable.values()))
        told.append(say("{tasks} not runnable here", tasks=counted(count, "task")))
    if ours := lost.get(Outcome.HARNESS_ERROR):
        whose = ", ".join(f"{tool} {len(units)}" for tool, units in ours.items())
        count = len(set.union(*ours.values()))
        tasks = counted(count, "task")
        told.append(say("{tasks} with harness errors ({whose})", tasks=tasks, whose=whose))
    note = "Left out for all tools: {told}." if len(scores) > 1 else "Left out: {told}."
    return [say(note, told=say(", ").join(told))] if told else []


def _unknown(table: ScoreTable) -> list[str]:
    """Measures that are known of a part of the tasks only."""
    told = [
        say(
            "{measure} of {tool} {known} of {tasks}",
            measure=say(of.title),
            tool=row.tool,
            known=row.score[of.name].known,
            tasks=row.score.tasks,
        )
        for of in table.measures
        for row in table.rows
        if 0 < row.score[of.name].known < row.score.tasks
    ]
    note = "Known of a part of the tasks only: {told}."
    return [say(note, told=say(", ").join(told))] if told else []


def _too_few(table: ScoreTable) -> list[str]:
    """Tools without a value because they gave too few samples, the built-in ones among them."""
    return [
        say(
            "{measure} needs {needs} samples of every task, and these gave fewer of some: {tools} "
            "(--by suite or language shows where there are enough).",
            measure=of.title,
            needs=of.needs,
            tools=say(", ").join(tools),
        )
        for of in table.measures
        if of.needs > 1
        and (tools := [row.tool for row in table.rows if row.score[of.name].value is None])
    ]


def as_json(results: Results, tools: ScoreTable, groups: ScoreTable | None) -> dict[str, Any]:
    """The contract of `run --json` and `score --json`."""
    value: dict[str, Any] = {
        "run": results.run.id,
        "tools": {row.tool: score_json(row.score) for row in tools.rows},
    }
    if groups:
        value["groups"] = [
            {"tool": row.tool, **row.group, **score_json(row.score)} for row in groups.rows
        ]
    return value


def score_json(score: ToolScore) -> dict[str, Any]:
    known = {name: found for name, found in score.estimates.items() if _told(name, found)}
    value: dict[str, Any] = {
        "tasks": score.tasks,
        "samples": score.samples,
        "passed_tasks": score.passed_tasks,
        "solved": score.solved,
        **{name: estimate.value for name, estimate in known.items()},
        "pass_ratio_sum": score.pass_ratio_sum,
        "intervals": {
            name: [estimate.interval.low, estimate.interval.high]
            for name, estimate in known.items()
            if estimate.interval
        },
        "known": {name: estimate.known for name, estimate in known.items()},
        "judged": {judging: score.judged.get(judging, 0) for judging in Judging},
        "outcomes": {outcome: score.outcomes.get(outcome, 0) for outcome in Outcome},
        "failures": dict(score.failures),
        "unanswered": score.unanswered,
        "lucky": score.flags.get(LUCKY, 0),
        "left_out": sum(score.left_out.values()),
        "left_out_because": dict(score.left_out),
        "prompt_languages": list(score.prompt_languages),
    }
    if score.sets_used:
        value["sets_used"] = dict(score.sets_used)
        value["sets_per_task"] = score.sets_per_task
    return value


def _told(name: str, found: Estimate) -> bool:
    """A measure that is unknown of every task is null or left out, as its row says."""
    return found.value is not None or measure(name).always_in_json
