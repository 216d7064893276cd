"""Axes that reach as far as the data, and what is drawn along one."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import ceil, floor

from markupsafe import Markup

from polyassay.report.tables import Share
from polyassay.report.views import Hero
from polyassay.texts import say
from polyassay.wording import fixed

_UNIT = '<tspan class="unit"> %</tspan>'
COLOURS = 6  # of tools, in style.css
_BAR_WIDTH = 220
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
_MOST_TICKS = 6
_LEAST_SPAN = 0.1  # a closer look would make chance look like a difference


@dataclass(frozen=True, slots=True)
class Axis:
    """From the lowest to the highest value that is drawn, with the values that are named."""

    ticks: tuple[float, ...]

    @property
    def low(self) -> float:
        return self.ticks[0]

    @property
    def high(self) -> float:
        return self.ticks[-1]

    def x(self, value: float, width: float) -> float:
        return width * (value - self.low) / (self.high - self.low)


WHOLE = Axis((0.0, 0.25, 0.5, 0.75, 1.0))


def axis_for(values: Iterable[float], least: float = 0.0, most: float = 1.0) -> Axis:
    """Round numbers around the values, within what is possible.

    >>> axis_for([0.447, 0.721]).ticks
    (0.4, 0.5, 0.6, 0.7, 0.8)
    """
    found = list(values)
    low, high = min(found), max(found)
    spare = max(0.0, _LEAST_SPAN - (high - low)) / 2
    low, high = max(least, low - spare), min(most, high + spare)
    for step in _STEPS:
        first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
        if last - first < _MOST_TICKS:
            break
    last = max(last, first + 1)
    return Axis(tuple(round(number * step, 4) for number in range(first, last + 1)))


def shares_axis(shares: Iterable[Share]) -> Axis:
    """Wide enough for all of these with their intervals."""
    ends = [end for one in shares for end in (one.value, one.low, one.high) if end is not None]
    return axis_for(ends) if ends else WHOLE


def colour(place: int) -> str:
    """The class of a tool's colour; there is none twice, so later ones have no colour."""
    return f"t{place}" if place < COLOURS else "many"


def interval_bar(share: Share, tool: int, along: Axis = WHOLE) -> Markup:
    """A dot with its interval."""
    x = along.x(share.value, _BAR_WIDTH)
    low = along.x(share.value if share.low is None else share.low, _BAR_WIDTH)
    high = along.x(share.value if share.high is None else share.high, _BAR_WIDTH)
    places = [along.x(tick, _BAR_WIDTH) for tick in along.ticks]
    grid = "".join(
        f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="18"/>' for at in places
    )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="interval {colour(tool)}" viewBox="-4 0 {_BAR_WIDTH + 8} 18"'
        f' aria-hidden="true">{grid}'
        f'<line class="reach" x1="{low:.1f}" x2="{high:.1f}" y1="9" y2="9"/>'
        f'<circle cx="{x:.1f}" cy="9" r="4.5"/></svg>'
    )


def axis(along: Axis = WHOLE) -> Markup:
    """The numbers above a column of interval bars."""
    ticks = along.ticks
    anchors = {along.low: "start", along.high: "end"}
    drawn = "".join(
        f'<text x="{along.x(tick, _BAR_WIDTH):.1f}" y="11" class="{anchors.get(tick, "")}">'
        f"{100 * tick:g}{_UNIT if tick == ticks[-1] and len(ticks) < _MOST_TICKS else ''}"
        "</text>"
        for tick in ticks
    )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="interval axis" viewBox="-4 0 {_BAR_WIDTH + 8} 14" aria-hidden="true">'
        f"{drawn}</svg>"
    )


def difference(hero: Hero) -> Markup:
    """The difference and its interval on one axis, with zero and the margin."""
    width, left, line = 640, 40, 66
    edges = [-hero.margin, hero.margin] if hero.margin else []
    points = hero.difference
    if points is None:
        raise ValueError("a difference that is no share is not drawn")
    along = axis_for([points.low, points.high, 0.0, *edges], least=-1.0, most=1.0)

    def at(value: float) -> str:
        return f"{left + along.x(value, width):.1f}"

    parts = []
    if hero.margin:
        edge = along.x(hero.margin, width)
        start, wide = (0.0, edge) if hero.margin < 0 else (edge, width - edge)
        parts.append(
            f'<rect class="margin" x="{left + start:.1f}" y="30" width="{wide:.1f}"'
            f' height="56"><title>{escape(_beyond(hero))}</title></rect>'
        )
    for tick in along.ticks:
        parts.append(f'<line class="grid" x1="{at(tick)}" x2="{at(tick)}" y1="30" y2="86"/>')
        told = fixed(100 * tick, 0, signed=True)
        parts.append(f'<text x="{at(tick)}" y="104">{told}</text>')
    parts.append(f'<line class="zero" x1="{at(0.0)}" x2="{at(0.0)}" y1="24" y2="90"/>')
    if along.low < 0:
        x = left + along.x(0.0, width) - 10
        parts.append(
            f'<text class="end" x="{x:.1f}" y="18">'
            f"{escape(say('← {tool} better', tool=_short(hero.a)))}</text>"
        )
    if along.high > 0:
        x = left + along.x(0.0, width) + 10
        parts.append(
            f'<text class="start" x="{x:.1f}" y="18">'
            f"{escape(say('{tool} better →', tool=_short(hero.b)))}</text>"
        )
    place = hero.b_place if points.value > 0 else hero.a_place
    ahead = f"t{place % 6}" if points.value else ""
    parts.append(
        f'<g class="{ahead}"><line class="reach" x1="{at(points.low)}" x2="{at(points.high)}"'
        f' y1="{line}" y2="{line}"/><circle cx="{at(points.value)}" cy="{line}" r="8"/></g>'
        f'<text class="value" x="{at(points.value)}" y="{line - 16}">{points.difference()}</text>'
    )
    label = say(
        "{b} minus {a}: {difference} points, {ends}",
        a=hero.a,
        b=hero.b,
        difference=points.difference(),
        ends=points.interval(),
    )
    return Markup(  # noqa: S704 - every text was escaped
        f'<svg class="difference" viewBox="0 0 {width + 2 * left} 112" role="img"'
        f' aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _beyond(hero: Hero) -> str:
    worse = "{tool} worse by more than {points} points"
    edge = hero.margin or 0.0
    tool = hero.b if edge < 0 else hero.a
    return say(worse, tool=tool, points=f"{100 * abs(edge):g}")


def _short(name: str) -> str:
    return name if len(name) <= 24 else name[:23] + "…"
