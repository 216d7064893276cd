"""Coefficients equal scipy's, and intervals hold what they should."""

from collections.abc import Hashable

import numpy as np
import pytest
from scipy import stats

from polyassay.measures.worth import agreement, tools


def made(seed: int = 3, tasks: int = 40, samples: int = 5, effect: float = 1.0):
    """Samples of tasks of different difficulty, whose values follow passing and the task."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=tasks)
    passed = rng.random((tasks, samples)) < 1 / (1 + np.exp(-difficulty))[:, None]
    values = effect * passed + 0.8 * difficulty[:, None] + rng.normal(size=passed.shape)
    clusters = np.repeat(np.arange(tasks), samples)
    return values.ravel().round(1), passed.ravel(), clusters


def test_auc_equals_scipys_mann_whitney() -> None:
    values, passed, clusters = made()
    found = agreement.auc(values, passed, clusters)
    u = stats.mannwhitneyu(values[passed], values[~passed]).statistic
    assert found.value is not None
    assert found.value == pytest.approx(u / (passed.sum() * (~passed).sum()), abs=1e-12)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high


def test_correlation_equals_scipys_point_biserial() -> None:
    values, passed, clusters = made()
    found = agreement.correlation(values, passed, clusters)
    assert found.value == pytest.approx(stats.pointbiserialr(passed, values).statistic, abs=1e-12)


def test_auc_within_tasks_is_the_mean_of_scipys() -> None:
    values, passed, clusters = made()
    aucs = []
    for task in np.unique(clusters):
        v, p = values[clusters == task], passed[clusters == task]
        if 0 < p.sum() < len(p):
            aucs.append(stats.mannwhitneyu(v[p], v[~p]).statistic / (p.sum() * (~p).sum()))
    found = agreement.auc_within(values, passed, clusters, clusters)
    assert found.value == pytest.approx(np.mean(aucs), abs=1e-12)
    assert found.n == len(aucs)


def test_kendalls_tau_equals_scipys() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, y = rng.integers(0, 5, 8).astype(float), rng.integers(0, 5, 8).astype(float)
        assert tools.kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)


def test_nothing_is_said_where_one_side_does_not_vary() -> None:
    for passed in ([True] * 4, [False] * 4):
        assert agreement.auc([1, 2, 3, 4], passed, range(4)).value is None
        assert agreement.correlation([1, 2, 3, 4], passed, range(4)).value is None
        assert agreement.best_threshold([1, 2, 3, 4], passed, range(4)) is None
    assert agreement.correlation([1, 1, 1, 1], [True, False] * 2, range(4)).value is None
    assert agreement.auc([], [], []).value is None
    assert agreement.auc_within([1, 2], [True, False], "ab", "ab").n == 0


def test_samples_of_a_task_are_not_independent() -> None:
    values, passed, clusters = made(samples=10)
    by_task = agreement.auc(values, passed, clusters).interval
    alone = agreement.auc(values, passed, range(len(values))).interval
    assert by_task and alone
    assert by_task.high - by_task.low > 1.15 * (alone.high - alone.low)


@pytest.mark.parametrize("statistic", [agreement.auc, agreement.correlation])
def test_intervals_cover(statistic) -> None:
    """The value of a large population lies in about 95 of 100 intervals."""
    whole = made(seed=99, tasks=20_000)
    truth = statistic(*whole, resamples=1).value
    held = 0
    for seed in range(200):
        interval = statistic(*made(seed=seed, tasks=60), resamples=300).interval
        held += interval.low <= truth <= interval.high
    assert 0.90 <= held / 200 <= 0.99


def test_quintiles_hold_all_samples_and_rise_with_the_value() -> None:
    values, passed, _ = made(tasks=400)
    found = agreement.quintiles(values, passed)
    assert len(found) == 5
    assert sum(part.samples for part in found) == len(values)
    rates = [part.passed / part.samples for part in found]
    assert rates == sorted(rates)
    assert len(agreement.quintiles([1.0] * 10, [True] * 10)) == 1


def test_the_best_threshold_is_tried_on_other_tasks() -> None:
    values, passed, clusters = made(tasks=400, effect=4.0)
    found = agreement.best_threshold(values, passed, clusters)
    assert found is not None and 1.0 < found.value < 3.5 and found.accuracy > 0.85
    noise = list(np.random.default_rng(0).normal(size=len(values)))
    useless = agreement.best_threshold(noise, passed, clusters)
    assert useless is not None and useless.accuracy < 0.56


def ranking(shift: float):
    rng = np.random.default_rng(5)
    tests: dict[str, dict[Hashable, float]] = {
        f"t{i}": {u: float(rng.random() < 0.3 + 0.1 * i) for u in range(300)} for i in range(5)
    }
    measure: dict[str, dict[Hashable, float]] = {
        tool: {u: shift * v + rng.normal(0, 0.1) for u, v in of.items()}
        for tool, of in tests.items()
    }
    return tools.rank_tools(measure, tests, {u: u for u in range(300)})


def test_tools_are_ranked_as_tests_rank_them() -> None:
    same, reverse = ranking(1.0), ranking(-1.0)
    assert same is not None and reverse is not None
    assert same.tau.value == 1.0 and same.agreement.value == 1.0 and len(same.pairs) == 10
    assert reverse.tau.value == -1.0 and reverse.agreement.value == 0.0
    assert same.tau.interval is not None and same.tau.interval.low > 0
    assert tools.rank_tools({"a": {1: 1.0}}, {"a": {1: 1.0}}, {1: 1}) is None
