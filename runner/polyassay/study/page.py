"""study.html, beside the report's first page: costs, and a table and a picture per setting."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from polyassay.measures.table import measure
from polyassay.report import charts
from polyassay.report.tables import Share, Table, is_number, plain
from polyassay.study.effects import SettingEffects
from polyassay.study.tables import Asked, asked_table, effect_table

PAGE = "study.html"
_WIDE, _TALL, _LEFT, _TOP = 420, 260, 52, 14


def write_page(
    folder: Path,
    title: str,
    asked: Sequence[Asked],
    effects: Sequence[SettingEffects],
    name: str,
    against: Table | None = None,
) -> Path:
    environment = Environment(
        loader=PackageLoader("polyassay.study"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"plain": plain, "is_number": is_number}
    text = environment.get_template(PAGE).render(
        title=title,
        asked=asked_table(asked, name),
        against=against,
        cost=quality_against_cost(asked, name),
        settings=[(found, effect_table(found), _bars(found)) for found in effects],
        measure=measure(name).title,
        axis=charts.axis() if measure(name).scale.is_share else "",
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / PAGE
    path.write_text(text, encoding="utf-8", errors="replace")
    return path


def _bars(found: SettingEffects) -> list[Markup]:
    """One interval a value, where the measure is a share."""
    bars = []
    for place, effect in enumerate(found.effects):
        score = effect.score
        if not measure(found.measure).scale.is_share or score.value is None:
            bars.append(Markup(""))
            continue
        ends = score.interval
        share = Share(score.value, ends.low if ends else None, ends.high if ends else None)
        bars.append(charts.interval_bar(share, place))
    return bars


def quality_against_cost(asked: Sequence[Asked], name: str) -> Markup:
    """One dot a tool, with both intervals; only tools whose cost is known."""
    known = [one for one in asked if one.costs["cost"].value is not None and one.quality.known]
    row = measure(name)
    if not known or not row.scale.is_share:
        return Markup("")
    ends = [one.costs["cost"].interval for one in known]
    values = [one.costs["cost"].value or 0.0 for one in known]
    most = max([end.high for end in ends if end] + values) or 1.0
    parts = [
        f'<line class="rule" x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{_TOP + _TALL}"'
        f' y2="{_TOP + _TALL}"/>'
    ]
    for tick in (0, 50, 100):
        y = _TOP + _TALL * (1 - tick / 100)
        parts.append(f'<text class="end" x="{_LEFT - 8}" y="{y + 4:.1f}">{tick}</text>')
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{y}" y2="{y}"/>')
    for place, one in enumerate(known):
        parts.append(_dot(one, place, most))
    foot = _TOP + _TALL + 18
    parts.append(f'<text class="end" x="{_LEFT + _WIDE}" y="{foot}">{most:.3g}</text>')
    parts.append(f'<text x="{_LEFT + _WIDE / 2}" y="{foot + 16}">cost of an answer</text>')
    view = f"0 0 {_LEFT + _WIDE + 30} {_TOP + _TALL + 44}"
    label = escape(f"{row.title} against cost")
    return Markup(  # noqa: S704 – every text in `parts` is a number or was escaped
        f'<svg class="scatter" viewBox="{view}" role="group" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _dot(one: Asked, place: int, most: float) -> str:
    cost, quality = one.costs["cost"], one.quality
    assert cost.value is not None
    assert quality.value is not None

    def across(value: float) -> float:
        return _LEFT + _WIDE * max(0.0, value) / most

    def up(value: float) -> float:
        return _TOP + _TALL * (1 - value)

    x, y = across(cost.value), up(quality.value)
    lines = ""
    if quality.interval:
        lines += (
            f'<line class="reach" x1="{x:.1f}" x2="{x:.1f}" y1="{up(quality.interval.low):.1f}"'
            f' y2="{up(quality.interval.high):.1f}"/>'
        )
    if cost.interval:
        lines += (
            f'<line class="reach" y1="{y:.1f}" y2="{y:.1f}" x1="{across(cost.interval.low):.1f}"'
            f' x2="{across(cost.interval.high):.1f}"/>'
        )
    title = escape(f"{one.tool}: {100 * quality.value:.1f} %, {cost.value:.4g} an answer")
    return (
        f'<g class="t{place % 6}">{lines}<circle cx="{x:.1f}" cy="{y:.1f}" r="5">'
        f"<title>{title}</title></circle>"
        f'<text x="{x + 8:.1f}" y="{y - 8:.1f}" class="start">{escape(one.tool)}</text></g>'
    )
