import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from polyassay.statistics.clusters import by_cluster
from polyassay.statistics.intervals import mean_interval
from polyassay.statistics.paired import paired


def alone(values):  # type: ignore[no-untyped-def]
    return by_cluster(values, range(len(values)))


@pytest.mark.parametrize(("passed", "n"), [(58, 124), (0, 100), (100, 100), (3, 100), (450, 500)])
def test_a_share_gets_about_the_interval_of_agresti_and_coull(passed: int, n: int) -> None:
    found = mean_interval(alone([1.0] * passed + [0.0] * (n - passed)))
    low, high = proportion_confint(passed, n, method="agresti_coull")
    assert found.low == pytest.approx(max(0.0, low), abs=0.012)
    assert found.high == pytest.approx(min(1.0, high), abs=0.012)


def test_ratios_of_many_tasks_get_about_the_plain_bootstrap() -> None:
    values = np.random.default_rng(3).beta(2, 1, size=600)
    found = mean_interval(alone(values))
    plain = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="percentile", rng=4)
    assert found.low == pytest.approx(plain.confidence_interval.low, abs=0.002)
    assert found.high == pytest.approx(plain.confidence_interval.high, abs=0.002)


def test_units_of_one_task_are_drawn_together() -> None:
    rng = np.random.default_rng(5)
    tasks = rng.random(300)
    values = np.repeat(tasks, 4)
    found = mean_interval(by_cluster(list(values), list(np.repeat(np.arange(300), 4))))
    single = mean_interval(alone(tasks))
    assert found.high - found.low == pytest.approx(single.high - single.low, rel=0.03)


def test_differences_get_about_the_interval_of_bonett_and_price() -> None:
    ahead, behind, n = 30, 14, 175
    rows = alone([1.0] * ahead + [-1.0] * behind + [0.0] * (n - 44))
    found = paired(rows[:, 0], rows[:, 1]).interval()
    p, q = (ahead + 1) / (n + 2), (behind + 1) / (n + 2)
    half = 1.96 * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert found.low == pytest.approx(p - q - half, abs=0.002)
    assert found.high == pytest.approx(p - q + half, abs=0.002)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_stays_between_0_and_1_and_has_a_width(values: list[float]) -> None:
    found = mean_interval(alone(values))
    assert 0 <= found.low < found.high <= 1
