"""Runs, verdicts and environments, a row each, on a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from polyassay.environments.interpreters import Environment
from polyassay.model import LUCKY, Verdict
from polyassay.shown_text import clean
from polyassay.wording import some

REASON_CHARACTERS = 100  # on a terminal


def runs_table(found: Iterable[Mapping[str, Any]]) -> Table:
    """Each as `runs list --json` prints it."""
    table = Table(box=None, pad_edge=False)
    for column in ("run", "label", "started", "suites", "tools", "verdicts"):
        table.add_column(column, justify="right" if column == "verdicts" else "left")
    for one in found:
        judged, all_ = one["judged"], one["candidates"]
        table.add_row(
            one["run"],
            one["label"],
            one["created"][:16].replace("T", " ") + " (imported)" * one["imported"],
            ", ".join(one["suites"]),
            some(one["tools"], 4),
            f"{judged:,}" if judged == all_ else f"{judged:,} of {all_:,}",
        )
    return table


def environments_table(found: Iterable[Environment]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("suite", "set", "python", "libraries", "state"):
        table.add_column(column)
    for one in found:
        state = f"broken: polyassay env create {one.suite}" if one.broken else "works"
        table.add_row(one.suite, one.set, one.python, str(len(one.pins)), state)
    return table


def verdicts_table(found: Sequence[Verdict], *, brief: bool) -> Table:
    """With whole reasons, for a file or another program, unless they are to be brief."""
    rows = [_verdict_row(verdict) for verdict in found]
    table = Table(box=None, pad_edge=False)
    columns = ("suite", "task", "tool", "prompt", "sample", "outcome", "tests", "judged")
    for position, column in enumerate(columns):
        # What names a candidate is never cut; its reason is.
        widest = max([len(column), *(len(row[position]) for row in rows)])
        table.add_column(column, no_wrap=True, min_width=widest)
    table.add_column("reason", no_wrap=True, overflow="ellipsis")
    for row, verdict in zip(rows, found, strict=True):
        reason = _brief(verdict.reason) if brief else _in_a_line(verdict.reason)
        table.add_row(*map(Text, row), Text(reason))
    return table


def _verdict_row(verdict: Verdict) -> tuple[str, ...]:
    key = verdict.candidate
    fields = (
        key.suite,
        key.task,
        key.tool,
        key.prompt_language,
        str(key.sample),
        f"{verdict.outcome}, lucky" if LUCKY in verdict.flags else verdict.outcome,
        f"{verdict.passed}/{verdict.total}",
        verdict.judged,
    )
    return tuple(map(clean, fields))


def _brief(reason: str) -> str:
    return clean(reason.split("\n", 1)[0][:REASON_CHARACTERS])


def _in_a_line(reason: str) -> str:
    return clean(" ".join(reason.split()))
