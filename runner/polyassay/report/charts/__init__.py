"""Small charts as inline SVG; colours are classes, so that the style sheet decides them."""

from polyassay.report.charts.axes import axis, colour, difference, interval_bar, shares_axis
from polyassay.report.charts.distributions import (
    BINS,
    dot_position,
    histogram,
    histogram_bin,
    rank_ranges,
    scatter,
)
from polyassay.report.charts.outcomes import failure_bars, outcome_bar
from polyassay.report.charts.trends import history_lines, quality_against_cost

__all__ = [
    "BINS",
    "axis",
    "colour",
    "difference",
    "dot_position",
    "failure_bars",
    "histogram",
    "histogram_bin",
    "history_lines",
    "interval_bar",
    "outcome_bar",
    "quality_against_cost",
    "rank_ranges",
    "scatter",
    "shares_axis",
]
