"""`grade preferences` as people and programs read it."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from polyassay.report.comparing.pairs import p_value
from polyassay.report.tables import Amount, Cell, Share, Table
from polyassay.rubric.figures.preferring import Leaning, PreferenceFigures, sentence
from polyassay.wording import counted


def standings_table(found: PreferenceFigures) -> Table:
    """The strongest first; strengths are log odds against an average tool of these."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.tool,
            Amount(one.strength, one.interval.low, one.interval.high),
            Share(one.share, one.share_interval.low, one.share_interval.high),
            f"{one.wins} ({one.much} much)",
            f"{one.ties} ({one.both_bad} both bad)",
            one.losses,
            one.tasks,
            ", ".join(f"{grader} {n}" for grader, n in one.graders.items()),
        )
        for one in found.standings
    ]
    columns = ("tool", "strength", "preferred", "wins", "ties", "losses", "tasks", "choices")
    return Table(columns, tuple(rows), tuple(notes(found)))


def notes(found: PreferenceFigures) -> list[str]:
    told = [sentence(found), leaning_sentence(found.leaning)]
    if found.not_connected:
        names = ", ".join(found.not_connected)
        told.append(f"Left out: {names}, which met none of these tools.")
    return told


def leaning_sentence(found: Leaning) -> str:
    """Position bias, from all choices and from those that came again with the sides swapped."""
    surely = found.interval.low > 0 or found.interval.high < 0
    side = "left" if found.odds > 0 else "right"
    leans = f"Graders lean to the {side}" if surely else "No leaning to a side is seen"
    ends = f"{found.interval.low:.2f} to {found.interval.high:.2f}"
    told = f"{leans} (log odds for the left {found.odds:.2f}, 95 %: {ends})"
    if not found.repeats:
        return f"{told}; nothing was shown again with the sides swapped."
    return (
        f"{told}; of {counted(found.repeats, 'pair')} shown again with the sides swapped, "
        f"{found.same} were judged the same, {found.left} for the left both times, "
        f"{found.right} for the right."
    )


def versus_table(found: PreferenceFigures) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            f"{one.b} − {one.a}",
            Amount(one.difference, one.interval.low, one.interval.high),
            p_value(one.p),
            p_value(one.p_adjusted),
            one.answer,
            one.met,
        )
        for one in found.versus
    ]
    return Table(("tools", "log odds", "p", "p (Holm)", "answer", "choices"), tuple(rows))


def preferences_json(found: Iterable[PreferenceFigures]) -> dict[str, Any]:
    """The contract of `grade preferences --json`; the dimension `overall` is the whole."""
    return {
        one.dimension or "overall": {
            "tools": {
                s.tool: {
                    "strength": s.strength,
                    "low": s.interval.low,
                    "high": s.interval.high,
                    "share": s.share,
                    "share_low": s.share_interval.low,
                    "share_high": s.share_interval.high,
                    "wins": s.wins,
                    "ties": s.ties,
                    "losses": s.losses,
                    "much": s.much,
                    "both_bad": s.both_bad,
                    "tasks": s.tasks,
                    "graders": dict(s.graders),
                }
                for s in one.standings
            },
            "pairs": [
                asdict(v) | {"low": v.interval.low, "high": v.interval.high} for v in one.versus
            ],
            "position": asdict(one.leaning),
            "tasks": one.tasks,
            "choices": one.choices,
            "not_connected": list(one.not_connected),
            "sentence": sentence(one),
        }
        for one in found
    }
