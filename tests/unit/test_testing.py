import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from polyassay.statistics.clusters import ALPHA, by_cluster
from polyassay.statistics.paired import paired
from polyassay.statistics.significance import holm, levels


def difference(values, clusters=None, **options):  # type: ignore[no-untyped-def]
    rows = by_cluster(values, clusters if clusters is not None else range(len(values)))
    return paired(rows[:, 0], rows[:, 1], **options)


def test_many_differences_are_tested_as_by_a_paired_t_test() -> None:
    values = np.random.default_rng(2).normal(0.02, 0.2, size=500)
    found = difference(values)
    other = stats.ttest_1samp(values, 0.0)
    assert float(found.p) == pytest.approx(other.pvalue, abs=0.01)
    low, high = other.confidence_interval()
    assert found.interval().low == pytest.approx(low, abs=0.001)
    assert found.interval().high == pytest.approx(high, abs=0.001)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=40))
def test_p_and_interval_never_contradict_each_other(values: list[float]) -> None:
    found = difference(values)
    for level in (0.05, 0.01, 0.2):
        ends = found.interval(level)
        assert (float(found.p) < level) == (not ends.low <= 0 <= ends.high)


def test_no_difference_is_no_evidence() -> None:
    assert float(difference([0.0] * 30).p) == 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_holm_is_that_of_statsmodels(count: int) -> None:
    ps = (np.random.default_rng(count).random(count) ** 3).tolist()
    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=12))
def test_each_is_told_at_its_own_level_exactly_where_holm_tells_it(ps: list[float]) -> None:
    for p, adjusted, level in zip(ps, holm(ps), levels(ps), strict=True):
        assert (p < level) == (adjusted < ALPHA) or abs(adjusted - ALPHA) < 1e-9
