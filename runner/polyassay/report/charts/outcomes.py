"""How candidates ended: bars on one axis, so that tools can be compared by eye."""

from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from polyassay.report.charts.axes import colour
from polyassay.report.tables import per_cent
from polyassay.report.views import FailureShare
from polyassay.texts import say


def outcome_bar(endings: Sequence[tuple[str, str, int]]) -> Markup:
    """What became of one tool's answers, stacked to the full width."""
    total = sum(count for _, _, count in endings) or 1
    parts, x = [], 0.0
    for name, words, count in endings:
        width = 1000 * count / total
        label = say(
            "{outcome}: {count} of {total} ({share})",
            outcome=say(words),
            count=count,
            total=total,
            share=per_cent(count / total),
        )
        parts.append(
            f'<rect class="o-{name}" x="{x:.2f}" width="{width:.2f}" height="28">'
            f"<title>{label}</title></rect>"
        )
        x += width
    return Markup(  # noqa: S704 - outcomes are a closed list
        '<svg class="mix" viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def failure_bars(failures: Sequence[FailureShare], tools: Sequence[str]) -> Markup:
    """Why candidates failed: one bar a tool for each kind, longest kinds first."""
    left, width, bar = 250, 380, 12
    most = max((share for one in failures for share in one.shares), default=0.0) or 1.0
    row = bar * len(tools) + 14
    parts = []
    for place, one in enumerate(failures):
        top = 4 + place * row
        middle = top + bar * len(tools) / 2 + 4
        parts.append(
            f'<text class="end" x="{left - 12}" y="{middle:.1f}">{escape(one.kind)}</text>'
        )
        for tool, (count, share) in enumerate(zip(one.counts, one.shares, strict=True)):
            y, long = top + bar * tool, width * share / most
            told = "{tool}: {count} ({share}), {kind}"
            shown = per_cent(share)
            title = escape(say(told, tool=tools[tool], count=count, share=shown, kind=one.kind))
            parts.append(
                f'<g class="{colour(tool)}"><rect x="{left}" y="{y:.1f}" width="{long:.1f}"'
                f' height="{bar - 2}"><title>{title}</title></rect></g>'
                f'<text class="start count" x="{left + long + 6:.1f}" y="{y + bar - 3:.1f}">'
                f"{shown}</text>"
            )
    view = f"0 0 {left + width + 60} {8 + row * len(failures)}"
    return Markup(  # noqa: S704 - every text was escaped
        f'<svg class="failures" viewBox="{view}" role="img"'
        f' aria-label="{say("Why candidates failed")}">'
        f"{''.join(parts)}</svg>"
    )
