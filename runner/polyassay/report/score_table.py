"""Scores as people and programs read them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from polyassay.measures.comparing.gaps import gaps, library_trend
from polyassay.measures.doubts import Doubts
from polyassay.measures.groups import set_family
from polyassay.measures.results import Results
from polyassay.measures.scores import Estimate, Row, Score, ScoreTable
from polyassay.measures.table import Measure
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import Scores, UnitScore
from polyassay.model import LUCKY, Judging, Outcome
from polyassay.report.tables import Amount, Cell, OutOf, Points, Share, Table
from polyassay.report.views import FailureShare
from polyassay.wording import counted, some

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
    if of.scale.is_share:
        return Share(estimate.value, low, high)
    return Amount(estimate.value, low, high, of.scale.unit)


def share(estimate: Estimate) -> Share:
    """Of a measure between 0 and 1; what is unknown is drawn as an empty interval at 0."""
    if estimate.value is None or estimate.interval is None:
        return Share(estimate.value or 0.0)
    return Share(estimate.value, estimate.interval.low, estimate.interval.high)


def failures_table(table: ScoreTable) -> Table:
    """One line a tool and group, one column a kind of failure that occurs."""
    kinds = [kind for kind in Failure if any(kind in row.score.failures for row in table.rows)]
    columns = ("tool", *(name.replace("_", " ") for name in table.by), "passed", *kinds)
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
    """The same for a chart: each kind's share of a tool's candidates, the largest first."""
    totals = [sum(row.score.outcomes.values()) or 1 for row in table.rows]
    found = []
    for kind in Failure:
        counts = tuple(row.score.failures.get(kind, 0) for row in table.rows)
        shares = tuple(count / total for count, total in zip(counts, totals, strict=True))
        if any(counts):
            found.append(FailureShare(kind, counts, shares))
    yield from sorted(found, key=lambda one: -max(one.shares))


GAPS = ("language", "prompt_language", "domain")


def gaps_table(scores: Scores) -> Table:
    """One line a tool and pair of groups; the trend over libraries below."""
    columns = ("tool", "by", "first", "second", "pass@1", "pass@1 of second", "gap", "tasks")
    rows = tuple(
        (
            tool,
            gap.name.replace("_", " "),
            gap.first,
            gap.second,
            Share(gap.values[0]),
            Share(gap.values[1]),
            Points(gap.difference, gap.interval.low, gap.interval.high),
            "the same" if gap.paired else "others",
        )
        for tool, units in scores.items()
        for name in GAPS
        for gap in gaps(units, name)
    )
    trends = [(tool, library_trend(units)) for tool, units in scores.items()]
    notes = tuple(
        f"{tool}: pass@1 against how many tasks use the rarest library of a task: "
        f"Spearman {trend.rho:+.2f} over {counted(trend.tasks, 'task')} (p = {trend.p:.2g})."
        for tool, trend in trends
        if trend
    )
    return Table(columns, rows, notes)


def judging_note(scores: Sequence[tuple[str, Score]]) -> str:
    """How much of these tools' answers was judged where an answer can forge its verdict."""
    together = [(tool, 1 - score.share_apart) for tool, score in scores]
    told = ", ".join(f"{tool} {100 * part:.0f} %" for tool, part in together if part)
    if not told:
        return "All of it was judged apart."
    return f"Judged together, so not proof against forgery: {told} of the answers."


def footnotes(table: ScoreTable, results: Results, doubted: Doubts) -> list[str]:
    """What a reader must know before believing the table; `table` has one row a tool."""
    notes = []
    if not results.complete:
        notes.append(
            f"Not complete: {results.judged} of {counted(results.candidates, 'candidate')} judged; "
            f"go on with `polyassay run --resume {results.run.id}`."
        )
    unanswered = [(row.tool, row.score.unanswered) for row in table.rows if row.score.unanswered]
    if unanswered:
        told = ", ".join(f"{tool} {counted(count, 'task')}" for tool, count in unanswered)
        notes.append(f"Without an answer, counted as failed: {told}.")
    if not table.comparable:
        told = "; ".join(_asked(row) for row in table.rows)
        notes.append(f"Not asked the same, so do not compare these rows: {told}.")
    notes += left_out_note(list(results.scores.items()))
    notes += _unknown(table)
    if table.rows:
        notes.append(judging_note([(row.tool, row.score) for row in table.rows]))
    reused = sum(row.score.flags.get("reused", 0) for row in table.rows)
    if reused:
        notes.append(f"{counted(reused, 'candidate')} shared a process with others (--reuse).")
    notes += _luck_note(results)
    notes += [_sets_note(row) for row in table.rows if row.score.sets_used]
    return [*notes, *_doubt_notes(doubted)]


def _luck_note(results: Results) -> list[str]:
    """The answers whose verdict another hash seed, address or order of tests would change."""
    rounds = results.run.provenance.get("options", {}).get("shake", 0)
    lucky = [
        " ".join((tool, unit.unit.task, unit.unit.prompt_language, str(sample.number)))
        for tool, units in results.scores.items()
        for unit in units
        for sample in unit.samples
        if LUCKY in sample.flags
    ]
    if not rounds:
        return []
    times = f"shaken {counted(rounds, 'time')}"
    if not lucky:
        return [f"No verdict was luck: {times}, none changed."]
    return [
        f"Lucky, because other hash seeds, addresses or orders of tests change the verdict "
        f"({times}): {counted(len(lucky), 'answer')} ({some(lucky, 20)})."
    ]


def _sets_note(row: Row) -> str:
    """Which assertion sets of one-to-many tasks a tool's answers met, by family."""
    families: Counter[str] = Counter()
    for name, count in row.score.sets_used.items():
        families[set_family(name)] += count
    told = ", ".join(f"{name} {count}" for name, count in families.most_common(4))
    more = f" and {len(families) - 4} more kinds" if len(families) > 4 else ""
    return (
        f"Assertion sets that {row.tool} met: {told}{more}; "
        f"{row.score.sets_per_task:.2f} different ones a solved task."
    )


def _doubt_notes(doubted: Doubts) -> list[str]:
    kinds = {
        "Weak tests (an empty answer passes)": doubted.passes_empty,
        "Weak tests (most mutants of the reference pass)": doubted.catches_little,
        "Flaky": doubted.flaky,
        "The reference itself fails": doubted.reference_fails,
    }
    told = [f"{name}: {counted(len(tasks), 'task')}" for name, tasks in kinds.items() if tasks]
    return [f"{'; '.join(told)}."] if told else []


def _asked(row: Row) -> str:
    languages = ", ".join(name for name in row.score.prompt_languages if name)
    asked = f" in {languages}" if languages else ""
    return f"{row.tool} {counted(row.score.tasks, 'task')}{asked}"


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
        told.append(f"{counted(count, 'task')} not runnable here")
    if ours := lost.get(Outcome.HARNESS_ERROR):
        whose = ", ".join(f"{tool} {len(units)}" for tool, units in ours.items())
        count = len(set.union(*ours.values()))
        told.append(f"{counted(count, 'task')} with harness errors ({whose})")
    everyone = " for all tools" if len(scores) > 1 else ""
    return [f"Left out{everyone}: {', '.join(told)}."] if told else []


def _unknown(table: ScoreTable) -> list[str]:
    """Measures that are known of a part of the tasks only."""
    told = [
        f"{of.title} of {row.tool} {row.score[of.name].known} of {row.score.tasks}"
        for of in table.measures
        for row in table.rows
        if 0 < row.score[of.name].known < row.score.tasks
    ]
    return [f"Known of a part of the tasks only: {', '.join(told)}."] if told else []


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


def score_json(score: Score) -> dict[str, Any]:
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
    """What is unknown of every task is null where it was asked for, and missing elsewhere."""
    return found.value is not None or name.startswith(("pass@", "pass^", "avg_pass_ratio"))
