"""Scores as people and programs read them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.measures.doubts import Doubts
from polyassay.measures.groups import set_family
from polyassay.measures.results import Results
from polyassay.measures.scores import Estimate, Row, Score, ScoreTable
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import UnitScore
from polyassay.model import Judging, Outcome
from polyassay.report.tables import Cell, OutOf, Points, Share, Table
from polyassay.statistics.gaps import gaps, library_trend
from polyassay.wording import counted

# Outcomes that get a column of their own where they occur; the others show in `solved`.
_COLUMNS = (Outcome.UNBUILT, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.CRASHED)


def as_table(table: ScoreTable, notes: Sequence[str] = ()) -> Table:
    """One line a tool and group, the columns of outcomes that occur."""
    scores = [row.score for row in table.rows]
    endings = [o for o in _COLUMNS if any(score.outcomes.get(o) for score in scores)]
    measures = list(dict.fromkeys(name for score in scores for name in score.measures))
    columns = (
        "tool",
        *(name.replace("_", " ") for name in table.by),
        *(f"pass@{k}" for k in table.ks),
        "AvgPassRatio",
        *(_MEASURES.get(name, name) for name in measures),
        "solved",
        *(ending.replace("_", " ") for ending in endings),
    )
    return Table(
        columns, tuple(_cells(row, table, measures, endings) for row in table.rows), tuple(notes)
    )


_MEASURES = {"output_em": "OutputEM", "f1": "F1"}


def _cells(
    row: Row, table: ScoreTable, measures: Sequence[str], endings: Sequence[Outcome]
) -> tuple[Cell, ...]:
    score = row.score
    return (
        row.tool,
        *(row.group[name] for name in table.by),
        *(share(score.pass_at[k]) for k in table.ks),
        share(score.avg_pass_ratio),
        *(Share(score.measures[name]) if name in score.measures else None for name in measures),
        OutOf(score.solved, score.tasks),
        *(score.outcomes.get(ending, 0) for ending in endings),
    )


def share(estimate: Estimate) -> Share:
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


GAPS = ("language", "prompt_language", "domain")


def gaps_table(scores: Mapping[str, Sequence[UnitScore]]) -> Table:
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
    left_out = [(row.tool, _left_out(row.score)) for row in table.rows]
    if any(told for _, told in left_out):
        notes.append("Left out: " + "; ".join(f"{t}: {told}" for t, told in left_out if told) + ".")
    if table.rows:
        notes.append(judging_note([(row.tool, row.score) for row in table.rows]))
    reused = sum(row.score.flags.get("reused", 0) for row in table.rows)
    if reused:
        notes.append(f"{counted(reused, 'candidate')} shared a process with others (--reuse).")
    notes += [_sets_note(row) for row in table.rows if row.score.sets_used]
    return [*notes, *_doubt_notes(doubted)]


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
        "Weak tests (an empty answer passes)": doubted.weak,
        "Flaky": doubted.flaky,
        "The reference itself fails": doubted.reference_fails,
    }
    told = [f"{name}: {counted(len(tasks), 'task')}" for name, tasks in kinds.items() if tasks]
    return [f"{'; '.join(told)}."] if told else []


def _left_out(score: Score) -> str:
    kinds = [
        (score.outcomes.get(Outcome.NOT_RUNNABLE, 0), "not runnable here"),
        (score.outcomes.get(Outcome.HARNESS_ERROR, 0), "with harness errors"),
    ]
    told = ", ".join(f"{counted(count, 'candidate')} {kind}" for count, kind in kinds if count)
    if score.left_out and not told:  # it gave no answers to them
        return f"{counted(score.left_out, 'task')} not runnable here"
    return told


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
    pass_at = {f"pass@{k}": estimate for k, estimate in score.pass_at.items()}
    estimates = {**pass_at, "avg_pass_ratio": score.avg_pass_ratio}
    value: dict[str, Any] = {
        "tasks": score.tasks,
        "samples": score.samples,
        "passed_tasks": score.passed_tasks,
        "solved": score.solved,
        **{name: estimate.value for name, estimate in estimates.items()},
        "pass_ratio_sum": score.pass_ratio_sum,
        "intervals": {
            name: [estimate.interval.low, estimate.interval.high]
            for name, estimate in estimates.items()
        },
        "judged": {judging: score.judged.get(judging, 0) for judging in Judging},
        "outcomes": {outcome: score.outcomes.get(outcome, 0) for outcome in Outcome},
        "failures": dict(score.failures),
        "unanswered": score.unanswered,
        "left_out": score.left_out,
        **score.measures,
    }
    if score.sets_used:
        value["sets_used"] = dict(score.sets_used)
        value["sets_per_task"] = score.sets_per_task
    return value
