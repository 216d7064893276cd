"""Axes reach as far as the data and name round numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyassay.report.charts.axes import WHOLE, axis_for, difference, shares_axis
from polyassay.report.tables import Points, Share
from polyassay.report.views import Hero

SHARES = st.floats(0, 1)


@given(st.lists(SHARES, min_size=1, max_size=9))
def test_every_value_is_on_the_axis(values: list[float]) -> None:
    axis = axis_for(values)
    assert axis.low <= min(values) + 1e-6
    assert max(values) - 1e-6 <= axis.high
    assert 2 <= len(axis.ticks) <= 7
    assert axis.low >= 0
    assert axis.high <= 1


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.447, 0.721], (0.4, 0.5, 0.6, 0.7, 0.8)),
        ([0.0, 1.0], (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    ],
)
def test_round_numbers(values: list[float], ticks: tuple[float, ...]) -> None:
    assert axis_for(values).ticks == ticks


def test_one_value_is_not_looked_at_too_closely() -> None:
    axis = axis_for([0.5])
    assert axis.high - axis.low >= 0.1


def test_without_values_the_whole_axis() -> None:
    assert shares_axis([]) == WHOLE
    assert shares_axis([Share(0.5, None, None)]).low < 0.5


def test_names_are_escaped_and_cut() -> None:
    hero = Hero("<b>" * 20, "b&b", Points(-0.1, -0.2, 0.05), 0.03, ())
    drawn = str(difference(hero))
    assert "<b>" not in drawn
    assert "b&amp;b better" in drawn
    assert "…" in drawn
    assert 'class="margin"' in drawn
