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
    """Why candidates failed: one bar a tool for each kind, longest kinds first.

    A list and not one drawing, so that its letters keep their size on a phone.
    """
    most = max((share for one in failures for share in one.shares), default=0.0) or 1.0
    parts = []
    for one in failures:
        bars = []
        for tool, (count, share) in enumerate(zip(one.counts, one.shares, strict=True)):
            shown = per_cent(share)
            told = "{tool}: {count} ({share}), {kind}"
            title = escape(say(told, tool=tools[tool], count=count, share=shown, kind=one.kind))
            bars.append(
                f'<dd class="{colour(tool)}" title="{title}">'
                f'<svg width="{100 * share / most:.1f}%" height="10" aria-hidden="true">'
                '<rect width="100%" height="10"/></svg>'
                f'<span class="unseen">{escape(tools[tool])}: {count} (</span><span>{shown}</span>'
                '<span class="unseen">)</span></dd>'
            )
        parts.append(f"<div><dt>{escape(one.kind)}</dt>{''.join(bars)}</div>")
    return Markup(f'<dl class="failures">{"".join(parts)}</dl>')  # noqa: S704 - all was escaped
