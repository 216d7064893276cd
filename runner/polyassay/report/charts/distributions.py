"""How tasks, ranks and pairs of results are spread."""

from collections.abc import Iterable, Sequence
from html import escape
from math import sqrt

from markupsafe import Markup

from polyassay.report.charts.axes import colour
from polyassay.report.long_names import shortened
from polyassay.report.tables import per_cent
from polyassay.report.views import HeadToHead, RankRange, ToolScore
from polyassay.texts import say
from polyassay.wording import counted

BINS = ("0", "1–25", "26–50", "51–75", "76–99", "100")
_PLOT = 340
_LARGEST = 20.0  # a dot's radius
_COUNTED = 15.0  # how wide a bar must be for a number above it


def histogram_bin(ratio: float) -> int:
    """Which of BINS a pass ratio falls into; the ends have bins of their own."""
    if ratio >= 1:
        return 5
    return 0 if ratio <= 0 else min(4, 1 + int(ratio * 4 - 1e-9))


def rank_ranges(ranks: Sequence[RankRange]) -> Markup:
    """One line a tool, from its best to its worst possible rank; the best on top."""
    names = [shortened(one.tool, 26) for one in ranks]
    left, height = 20 + 9.5 * max(map(len, names), default=0), 22  # letters are 17 on a phone
    wide = 550 - left  # so that all letter alike
    step = min(60.0, wide / max(1, len(ranks)))
    parts = []
    for rank in range(1, len(ranks) + 1):
        x = left + step * (rank - 0.5)
        if step >= 24 or rank in (1, len(ranks)) or (rank % 5 == 0 and rank < len(ranks) - 2):
            parts.append(f'<text x="{x:.1f}" y="14">{rank}</text>')
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="18"'
            f' y2="{20 + height * len(ranks)}"/>'
        )
    for i, one in enumerate(ranks):
        y = 20 + height * (i + 0.5)
        low, high = left + step * (one.best - 0.5), left + step * (one.worst - 0.5)
        told = "{tool}: rank {rank} of {count}"
        title = escape(say(told, tool=one.tool, rank=one.told, count=len(ranks)))
        parts.append(
            f'<g class="{colour(one.place)}"><title>{title}</title>'
            f'<text class="end" x="{left - 12:.1f}" y="{y + 4:.1f}">{escape(names[i])}</text>'
            f'<line class="reach" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{low:.1f}" cy="{y:.1f}" r="5"/>'
            f'<circle cx="{high:.1f}" cy="{y:.1f}" r="5"/></g>'
        )
    view = f"0 0 550 {28 + height * len(ranks)}"
    return _figure("ranks", view, say("Ranks that each tool may have"), parts)


def histogram(scores: Sequence[ToolScore]) -> Markup:
    """How many prompts have which pass ratio: one column a tool and bin."""
    width, height, base = 460, 210, 172
    most = max((count for score in scores for count in score.histogram), default=1) or 1
    step = width / len(BINS)
    bar = min(30.0, (step - 12) / max(1, len(scores)))
    parts = []
    for i, label in enumerate(BINS):
        middle = step * (i + 0.5)
        parts.append(f'<text x="{middle:.1f}" y="{base + 18}">{label}</text>')
        for t, score in enumerate(scores):
            count = score.histogram[i]
            tall = (base - 22) * count / most
            x = middle + (t - len(scores) / 2) * bar
            told = "{tool}: {prompts} with {share} % of the tests passed"
            prompts = counted(count, "prompt")
            title = escape(say(told, tool=score.tool, prompts=prompts, share=label))
            at = f'x="{x + bar / 2:.1f}" y="{base - tall - 4:.1f}"'
            above = f'<text class="count" {at}>{count}</text>'
            parts.append(
                f'<g class="{colour(t)}"><rect x="{x + 1:.1f}" y="{base - tall:.1f}"'
                f' width="{bar - 2:.1f}" height="{tall:.1f}"><title>{title}</title></rect>'
                f"{above if bar >= _COUNTED else ''}</g>"
            )
    parts.append(f'<line class="rule" x1="0" x2="{width}" y1="{base}" y2="{base}"/>')
    name = say("% of the tests that pass")
    parts.append(f'<text x="{width / 2}" y="{height - 4}">{name}</text>')
    return _figure("histogram", f"0 0 {width} {height}", say("Prompts by pass ratio"), parts)


def scatter(head: HeadToHead) -> Markup:
    """One dot a pair of ratios, its area by the number of prompts; a link that filters the list."""
    left, top = 48, 8
    scaled = _PLOT - 2 * _LARGEST  # so that dots at the ends are whole, and inside
    parts = [
        f'<rect class="above" x="{left}" y="{top}" width="{_PLOT}" height="{_PLOT}"/>',
        f'<path class="below" d="M{left} {top + _PLOT}h{_PLOT}v-{_PLOT}z"/>',
        f'<line class="even" x1="{left}" y1="{top + _PLOT}" x2="{left + _PLOT}" y2="{top}"/>',
    ]
    for tick in (0, 50, 100):
        at = _LARGEST + scaled * tick / 100
        parts.append(f'<text x="{left + at:g}" y="{top + _PLOT + 18}">{tick}</text>')
        y = top + _PLOT - at + 4
        parts.append(f'<text class="end" x="{left - 8}" y="{y:g}">{tick}</text>')
    most = max((dot.count for dot in head.dots), default=1)
    scale = min(4.5, _LARGEST / sqrt(most))
    for dot in sorted(head.dots, key=lambda dot: -dot.count):
        x, y = left + _LARGEST + scaled * dot.a, top + _LARGEST + scaled * (1 - dot.b)
        radius = max(3.0, scale * sqrt(dot.count))
        ahead = head.b_place if dot.b > dot.a else head.a_place
        side = "even-dot" if dot.a == dot.b else colour(ahead)
        title = escape(
            say(
                "{prompts}: {a} {a_share}, {b} {b_share}",
                prompts=counted(dot.count, "prompt"),
                a=head.a,
                b=head.b,
                a_share=_told(dot.a),
                b_share=_told(dot.b),
            )
        )
        parts.append(
            f'<a href="#tasks" data-dot="{dot.a:g},{dot.b:g}" aria-label="{title}">'
            f'<circle class="{side}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
            f"<title>{title}</title></circle></a>"
        )
    a, b = (escape(say("{tool}, % of tests", tool=tool)) for tool in (head.a, head.b))
    parts.append(f'<text x="{left + _PLOT / 2}" y="{top + _PLOT + 40}">{a}</text>')
    parts.append(f'<text transform="translate(12 {top + _PLOT / 2}) rotate(-90)">{b}</text>')
    view = f"0 0 {left + _PLOT + 8} {top + _PLOT + 48}"
    return _figure("scatter", view, say("{a} against {b}", a=head.a, b=head.b), parts)


def dot_position(ratio: float) -> float:
    """Where a ratio is drawn: in steps of 5 per cent, but only 0 and 1 at the ends."""
    if ratio <= 0 or ratio >= 1:
        return float(ratio >= 1)
    return min(0.95, max(0.05, round(ratio * 20) / 20))


def _told(position: float) -> str:
    """A dot's ratio in words; between the ends it stands for all ratios nearby."""
    share = per_cent(position, 0)
    return say("about {share}", share=share) if 0 < position < 1 else share


def _figure(name: str, view: str, label: str, parts: Iterable[str]) -> Markup:
    return Markup(  # noqa: S704 - every text in `parts` is a number or was escaped
        f'<svg class="{name}" viewBox="{view}" role="group" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )
