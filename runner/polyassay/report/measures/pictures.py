"""Pictures of what measures are worth, as SVG: violins, histograms and rankings.

Colours are classes, so that the report's style sheet decides them; a picture that stands alone
carries a small style sheet of its own, for light and dark.
"""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from markupsafe import Markup

from polyassay.measures.measuring.names import HIGHEST, TITLES
from polyassay.measures.measuring.rows import Row, by_tool, by_unit
from polyassay.measures.table import HEADLINE
from polyassay.measures.worth.resampling import Array
from polyassay.measures.worth.summary import Worth, judged_rows

PICTURED = ("bleu", "rouge_l", "meteor", "chrf", "codebleu")  # as in the ODEX paper
BINS = 20
WIDTH, HEIGHT = 340, 220
LEFT, BOTTOM, TOP = 44, 30, 12
MOST_NAME = 18  # characters of a tool's name
STYLE = (
    "svg{color-scheme:light dark;background:light-dark(#fff,#14171b);font-family:sans-serif}"
    "text{fill:light-dark(#5b6470,#9aa4b1);font-size:12px;text-anchor:middle}"
    ".end{text-anchor:end}.start{text-anchor:start}"
    ".grid{stroke:light-dark(#dfe3e8,#313842)}"
    ".o-passed{fill:light-dark(#2a9d6f,#3db886)}.o-failed{fill:light-dark(#d9534f,#ec7470)}"
    ".o-passed,.o-failed{fill-opacity:.55}.median{stroke:light-dark(#1b1f24,#e7eaee)}"
    ".slope{stroke:light-dark(#2566d4,#6ea1ff);stroke-width:1.5;fill:none}"
    ".dot{fill:light-dark(#2566d4,#6ea1ff)}"
)


def pictures(rows: Sequence[Row], found: Sequence[Worth]) -> dict[str, Markup]:
    """File name → picture; only of measures that passes and failures both have."""
    judged = judged_rows(rows)
    drawn: dict[str, Markup] = {}
    for name in PICTURED:
        passes = _values(judged, name, True)
        fails = _values(judged, name, False)
        if len(passes) and len(fails):
            drawn[f"violin-{name}"] = violin(name, passes, fails)
            drawn[f"histogram-{name}"] = histogram(name, passes, fails)
    measured = [one.measure for one in found if one.measure in PICTURED]
    if len(by_tool(judged)) > 1:
        drawn |= {f"ranking-{name}": ranking(name, judged) for name in measured}
    return drawn


def _values(rows: Sequence[Row], name: str, passed: bool) -> Array:
    found = (row.value(name) for row in rows if row.passed is passed)
    return np.array([value for value in found if value is not None], float)


def _end(name: str) -> float:
    return HIGHEST.get(name) or 1.0


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _scale(end: float) -> list[str]:
    """Lines at quarters of the scale, with their numbers."""
    return [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{_y(i / 4):.1f}" y2="{_y(i / 4):.1f}"/>'
        f'<text class="end" x="{LEFT - 6}" y="{_y(i / 4) + 4:.1f}">{end * i / 4:g}</text>'
        for i in range(5)
    ]


def violin(name: str, passes: Array, fails: Array) -> Markup:
    """How values are spread among passes and among failures; the line is the median."""
    end = _end(name)
    parts = _scale(end)
    for place, (kind, values) in enumerate((("passed", passes), ("failed", fails))):
        middle = LEFT + (WIDTH - LEFT) * (0.25 + 0.5 * place)
        heights, widths = _density(values / end)
        half = 0.2 * (WIDTH - LEFT) * widths / widths.max()
        right = [f"{middle + w:.1f},{_y(h):.1f}" for h, w in zip(heights, half, strict=True)]
        left = [f"{middle - w:.1f},{_y(h):.1f}" for h, w in zip(heights, half, strict=True)]
        median = _y(float(np.median(values)) / end)
        parts.append(
            f'<polygon class="o-{kind}" points="{" ".join(right + left[::-1])}"/>'
            f'<line class="median" x1="{middle - 16:.1f}" x2="{middle + 16:.1f}"'
            f' y1="{median:.1f}" y2="{median:.1f}"/>'
            f'<text x="{middle:.1f}" y="{HEIGHT - 8}">{kind} ({len(values)})</text>'
        )
    return _svg(f"{TITLES[name]} of samples that passed and that failed", parts)


def _density(values: Array) -> tuple[Array, Array]:
    """A smooth density between 0 and 1, by a normal kernel of Silverman's width."""
    heights = np.linspace(0.0, 1.0, 81)
    spread = max(float(values.std()), 0.02)
    width = max(0.9 * spread * len(values) ** -0.2, 0.01)
    counts, edges = np.histogram(np.clip(values, 0, 1), bins=400, range=(0, 1))
    centres = (edges[1:] + edges[:-1]) / 2
    kernel = np.exp(-0.5 * ((heights[:, None] - centres[None, :]) / width) ** 2)
    return heights, kernel @ counts


def histogram(name: str, passes: Array, fails: Array) -> Markup:
    """The share of passes and of failures in each of twenty parts of the scale."""
    end = _end(name)
    shares = [
        np.histogram(np.clip(v / end, 0, 1), bins=BINS, range=(0, 1))[0] / len(v)
        for v in (passes, fails)
    ]
    most = max(float(share.max()) for share in shares)
    parts = [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{_y(0):.1f}" y2="{_y(0):.1f}"/>',
        f'<text class="end" x="{LEFT - 6}" y="{_y(1) + 8:.1f}">{100 * most:.0f} %</text>',
    ]
    step = (WIDTH - LEFT) / BINS
    for kind, share in zip(("passed", "failed"), shares, strict=True):
        for i, value in enumerate(share):
            top = _y(float(value) / most)
            parts.append(
                f'<rect class="o-{kind}" x="{LEFT + i * step + 0.5:.1f}" y="{top:.1f}"'
                f' width="{step - 1:.1f}" height="{_y(0) - top:.1f}"/>'
            )
    for i, anchor in ((0, "start"), (2, ""), (4, "end")):
        x = LEFT + (WIDTH - LEFT) * i / 4
        parts.append(f'<text class="{anchor}" x="{x:.1f}" y="{HEIGHT - 8}">{end * i / 4:g}</text>')
    return _svg(f"{TITLES[name]}: shares of passed and failed samples", parts)


def ranking(name: str, rows: Sequence[Row]) -> Markup:
    """Tools in the order of the measure, joined to their places by passed tests."""
    means = {
        tool: (_task_mean(of, lambda row: row.value(name)), _task_mean(of, _passing))
        for tool, of in by_tool(rows).items()
    }
    height = TOP + 26 + 22 * len(means)
    by_measure = sorted(means, key=lambda tool: -means[tool][0])
    by_tests = sorted(means, key=lambda tool: -means[tool][1])
    left, right = 150, WIDTH - 110
    parts = [
        f'<text class="end" x="{left - 8}" y="{TOP + 8}">{TITLES[name]}</text>',
        f'<text class="start" x="{right + 8}" y="{TOP + 8}">{HEADLINE.title}</text>',
    ]
    for tool, (value, passing) in means.items():
        y1 = TOP + 30 + 22 * by_measure.index(tool)
        y2 = TOP + 30 + 22 * by_tests.index(tool)
        label = escape(tool if len(tool) <= MOST_NAME else tool[: MOST_NAME - 1] + "…")
        parts.append(
            f'<line class="slope" x1="{left}" x2="{right}" y1="{y1}" y2="{y2}"/>'
            f'<circle class="dot" cx="{left}" cy="{y1}" r="3.5"/>'
            f'<circle class="dot" cx="{right}" cy="{y2}" r="3.5"/>'
            f'<text class="end" x="{left - 8}" y="{y1 + 4}">{label} {value:.3g}</text>'
            f'<text class="start" x="{right + 8}" y="{y2 + 4}">{100 * passing:.1f} %</text>'
        )
    return _svg(f"Tools by {TITLES[name]} and by {HEADLINE.title}", parts, height)


def _passing(row: Row) -> float | None:
    return float(bool(row.passed))


def _task_mean(rows: Sequence[Row], value: Callable[[Row], float | None]) -> float:
    """A task's samples are averaged first; 0 where nothing is known."""
    of_tasks = [
        [known for row in of if (known := value(row)) is not None] for of in by_unit(rows).values()
    ]
    means = [float(np.mean(of)) for of in of_tasks if of]
    return float(np.mean(means)) if means else 0.0


def _svg(label: str, parts: Sequence[str], height: int = HEIGHT) -> Markup:
    return Markup(  # noqa: S704 - every text in `parts` is a number, ours, or was escaped
        f'<svg class="measure" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def alone(svg: str) -> str:
    """A picture as a file of its own."""
    head, _, rest = str(svg).partition(">")
    return f"{head}><style>{STYLE}</style>{rest}\n"
