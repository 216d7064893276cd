import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels import api as sm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from polyassay.statistics.clusters import ALPHA, by_cluster
from polyassay.statistics.paired import paired
from polyassay.statistics.significance import holm, levels

PAIRS = ((0, 1), (0, 2), (1, 2))


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


def test_clusters_are_those_of_a_regression_with_clustered_errors() -> None:
    """statsmodels' sandwich, without its correction for few clusters."""
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(150), 4)
    values = 0.03 + 0.2 * rng.normal(size=150)[clusters] + 0.3 * rng.normal(size=600)
    fit = sm.OLS(values, np.ones(600)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    found = difference(values.tolist(), clusters.tolist(), span=None)
    assert float(found.seen) == pytest.approx(fit.params[0])
    assert float(found.error) == pytest.approx(fit.bse[0], rel=0.01)


def test_passed_or_not_is_close_to_mcnemar_and_on_the_safe_side_of_its_mid_p() -> None:
    for ahead, behind in ((25, 19), (30, 14), (12, 4), (9, 2)):
        values = [1.0] * ahead + [-1.0] * behind + [0.0] * (175 - ahead - behind)
        exact = mcnemar([[0, ahead], [behind, 0]], exact=True).pvalue
        tosses = ahead + behind
        mid = exact - stats.binom.pmf(min(ahead, behind), tosses, 0.5)
        assert 0.9 * mid < float(difference(values, steps=(1.0, 1.0)).p) < exact


def test_all_pairs_are_scipys_paired_tests_adjusted_by_statsmodels() -> None:
    tools = np.random.default_rng(8).random((3, 800)) + np.array([[0.0], [0.02], [0.06]])
    mine = holm([float(difference(tools[j] - tools[i], span=None).p) for i, j in PAIRS])
    theirs = [stats.ttest_rel(tools[j], tools[i]).pvalue for i, j in PAIRS]
    assert mine == pytest.approx(list(multipletests(theirs, method="holm")[1]), abs=0.01)


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
