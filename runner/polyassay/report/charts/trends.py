"""Scores over runs, and against cost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from markupsafe import Markup

from polyassay.report.charts.axes import Axis, axis_for, colour
from polyassay.report.long_names import shortened
from polyassay.report.tables import Share, all_shares, per_cent
from polyassay.report.views import PricedTool, SuiteHistory
from polyassay.texts import say

_WIDE, _TALL, _LEFT, _TOP, _FOOT = 620, 230, 52, 14, 62

_DATE = 66  # wide enough for a date with its year
_NAMES, _LINE = 140, 13  # room for names beside lines


def history_lines(history: SuiteHistory, tools: Sequence[str]) -> Markup:
    """One line a tool over the runs, with intervals; its place in `tools` decides its colour."""
    shares = [one for points in history.shares.values() for one in points if one]
    along = axis_for([end for one in shares for end in _ends(one)])
    # Where colours do not tell all lines, names stand beside them.
    named = sum(_colour(tool, tools) in ("many", "gone") for tool in history.shares) > 1
    count, step = len(history.runs), (_WIDE - _NAMES * named) / len(history.runs)

    def y(value: float) -> float:
        return _TOP + _TALL - along.x(value, _TALL)

    parts = list(_levels(along, y))
    parts += [_run_name(history, i, _LEFT + step * (i + 0.5), step) for i in range(count)]
    apart = min(9.0, step / (len(history.shares) + 2))  # so that intervals do not hide each other
    here = [[tool for tool, of in history.shares.items() if of[i]] for i in range(count)]
    ends: dict[str, float] = {}
    for tool, points in history.shares.items():
        at = [
            (_LEFT + step * (i + 0.5) + (here[i].index(tool) - (len(here[i]) - 1) / 2) * apart, one)
            for i, one in enumerate(points)
            if one
        ]
        if at:
            ends[tool] = y(at[-1][1].value)
        path = " ".join(f"{x:.1f},{y(one.value):.1f}" for x, one in at)
        drawn = [f'<polyline class="path" points="{path}"/>']
        for x, one in at:
            low, high = (y(end) for end in (_ends(one)[0], _ends(one)[-1]))
            title = escape(f"{tool}: {one.percent()} ({one.interval()})")
            drawn.append(
                f'<g><title>{title}</title><line class="reach" x1="{x:.1f}" x2="{x:.1f}"'
                f' y1="{low:.1f}" y2="{high:.1f}"/>'
                f'<circle cx="{x:.1f}" cy="{y(one.value):.1f}" r="4.5"/></g>'
            )
        parts.append(f'<g class="{_colour(tool, tools)}">{"".join(drawn)}</g>')
    if named:
        parts += _names(ends, tools)
    label = say(
        "{measure} on {suite} over {runs}", measure=history.measure, suite=history.suite, runs=count
    )
    return _figure("trend", label, parts)


def _colour(tool: str, tools: Sequence[str]) -> str:
    return colour(tools.index(tool)) if tool in tools else "gone"


def _names(ends: Mapping[str, float], tools: Sequence[str]) -> Iterator[str]:
    """Beside the chart, as high as each line ends, but one below the other."""
    last = _TOP + _TALL - _LINE * (len(ends) - 1)  # for the first name, so that all have room
    lowest = -_LINE * 1.0
    for tool, y in sorted(ends.items(), key=lambda of: of[1]):
        lowest = max(min(y + 4, last), lowest + _LINE)
        last += _LINE
        name = escape(shortened(tool, 20))
        yield (
            f'<text class="start name {_colour(tool, tools)}" x="{_LEFT + _WIDE - _NAMES + 6}"'
            f' y="{lowest:.1f}">{name}</text>'
        )


def _ends(one: Share) -> list[float]:
    return [end for end in (one.low, one.value, one.high) if end is not None]


def _levels(along: Axis, height: Callable[[float], float]) -> Iterator[str]:
    """A line for each number; the highest has the unit."""
    for tick in along.ticks:
        y = height(tick)
        name = per_cent(tick, 0) if tick == along.high else f"{100 * tick:g}"
        yield (
            f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="end" x="{_LEFT - 8}" y="{y + 4:.1f}">{name}</text>'
        )


def _run_name(history: SuiteHistory, i: int, x: float, step: float) -> str:
    run = history.runs[i]
    room = max(4, int(step / 6.5))
    name = run.name if len(run.name) <= room else run.name[: room - 1] + "…"
    date = run.date if step >= _DATE else run.date[5:]
    foot, shown = _TOP + _TALL + 20, ' class="shown"' if run.shown else ""
    return (
        f"<g{shown}><title>{escape(run.name)} · {run.date}</title>"
        f'<text x="{x:.1f}" y="{foot}">{escape(name)}</text>'
        f'<text class="date" x="{x:.1f}" y="{foot + 15}">{date}</text></g>'
    )


def quality_against_cost(priced: Sequence[PricedTool], title: str) -> Markup:
    """One dot a tool, with both intervals; up and to the left is better."""
    most = max(max(one.cost_ends or (one.cost,)) for one in priced) or 1.0
    shares = all_shares(one.quality for one in priced)
    along = axis_for([end for quality in shares for end in _ends(quality)])
    wide = _WIDE - 40  # names stand to the right of their dots

    def x(value: float) -> float:
        return _LEFT + wide * max(0.0, value) / most

    def y(value: float) -> float:
        return _TOP + _TALL - along.x(value, _TALL)

    parts = list(_levels(along, y))
    foot = _TOP + _TALL + 20
    for tick in (0.0, most / 2, most):
        parts.append(f'<text x="{x(tick):.1f}" y="{foot}">{tick:.3g}</text>')
    parts.append(f'<text x="{_LEFT + wide / 2}" y="{foot + 20}">{say("cost of an answer")}</text>')
    for one, quality in zip(priced, shares, strict=True):
        low, high = _ends(quality)[0], _ends(quality)[-1]
        left, right = one.cost_ends or (one.cost, one.cost)
        across, up = x(one.cost), y(quality.value)
        told = escape(f"{one.tool}: {quality.percent()}, {one.cost:.3g}")
        # Near the right edge a name stands to the left of its dot.
        anchor, shift = ("end", -9) if across > _LEFT + wide * 0.75 else ("start", 9)
        parts.append(
            f'<g class="{colour(one.place)}"><title>{told}</title>'
            f'<line class="reach" x1="{across:.1f}" x2="{across:.1f}" y1="{y(low):.1f}"'
            f' y2="{y(high):.1f}"/><line class="reach" x1="{x(left):.1f}" x2="{x(right):.1f}"'
            f' y1="{up:.1f}" y2="{up:.1f}"/><circle cx="{across:.1f}" cy="{up:.1f}" r="5.5"/>'
            f'<text class="{anchor} name" x="{across + shift:.1f}"'
            f' y="{up - 9:.1f}">{escape(shortened(one.tool, 24))}</text></g>'
        )
    return _figure("trend", say("{measure} against cost", measure=title), parts)


def _figure(name: str, label: str, parts: Sequence[str]) -> Markup:
    view = f"0 0 {_LEFT + _WIDE} {_TOP + _TALL + _FOOT - 12}"
    return Markup(  # noqa: S704 - every text in `parts` is a number or was escaped
        f'<svg class="{name}" viewBox="{view}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )
