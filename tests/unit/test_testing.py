import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as other_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from polyassay.statistics.intervals import by_cluster
from polyassay.statistics.significance import holm, mcnemar, reach, sign_flip


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_that_of_statsmodels(ahead: int, behind: int) -> None:
    table = [[10, ahead], [behind, 10]]
    assert mcnemar(ahead, behind) == pytest.approx(other_mcnemar(table, exact=True).pvalue)


def mean(values, axis):  # type: ignore[no-untyped-def]
    return np.mean(values, axis=axis)


def test_few_differences_are_tested_exactly_as_by_scipy() -> None:
    differences = np.random.default_rng(1).normal(0.3, 1, size=11)
    other = stats.permutation_test(
        (differences,), mean, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(differences) == pytest.approx(other.pvalue, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.02, 0.06])
def test_many_differences_are_tested_as_by_scipy(shift: float) -> None:
    rng = np.random.default_rng(2)
    differences = (rng.integers(-4, 5, size=175) / 4 + (rng.random(175) < shift)).clip(-1, 1)
    other = stats.permutation_test(
        (differences,), mean, permutation_type="samples", n_resamples=20_000, rng=3
    )
    assert sign_flip(differences) == pytest.approx(other.pvalue, abs=0.015)


def test_no_difference_is_no_evidence() -> None:
    assert sign_flip(np.zeros(30)) == 1.0
    assert mcnemar(0, 0) == 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_holm_is_that_of_statsmodels(count: int) -> None:
    ps = (np.random.default_rng(count).random(count) ** 3).tolist()
    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


def test_reach_is_that_of_a_paired_t_test() -> None:
    differences = np.random.default_rng(4).normal(0.05, 0.4, size=400)
    found = reach(by_cluster(differences, range(400)))
    power = TTestPower()
    effect = power.solve_power(nobs=400, alpha=0.05, power=0.8)
    assert found.detectable == pytest.approx(effect * differences.std(ddof=1), rel=0.02)
    seen = differences.mean() / differences.std(ddof=1)
    assert found.effect == pytest.approx(seen, rel=0.02)
    needed = power.solve_power(effect_size=seen, alpha=0.05, power=0.8)
    assert found.tasks_needed == pytest.approx(needed, rel=0.04)


def test_tools_that_never_differ_reach_something_but_need_nothing() -> None:
    found = reach(by_cluster([0.0] * 100, range(100)))
    assert 0.02 < found.detectable < 0.06
    assert found.tasks_needed is None
