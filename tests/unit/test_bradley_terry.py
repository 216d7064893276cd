"""Strengths equal independent fits, and hold where plain maximum likelihood has none."""

import numpy as np
import pytest

from polyassay.statistics.bradley_terry import Choices, fit

# Davidson (1970) is log-linear, so a Poisson regression of counts fits it too (Fienberg 1979).
COUNTS = {(0, 1): (12, 20, 6), (0, 2): (9, 22, 9), (1, 2): (15, 17, 8)}  # wins, losses, ties


def choices(counts: dict[tuple[int, int], tuple[int, int, int]], swap: bool = True) -> Choices:
    """As many choices, each pair's sides in turn, so that no side is favoured."""
    rows = []
    for (first, second), numbers in counts.items():
        for outcome, count in zip((1, -1, 0), numbers, strict=True):
            for n in range(count):
                turned = swap and n % 2
                sides = (second, first) if turned else (first, second)
                rows.append((*sides, -outcome if turned else outcome))
    left, right, outcomes = (np.array(column) for column in zip(*rows, strict=True))
    tools = 1 + max(max(pair) for pair in counts)
    return Choices(left, right, outcomes, list(range(len(rows))), tools)


def test_it_equals_a_poisson_regression_of_statsmodels() -> None:
    import statsmodels.api as models

    rows, counts = [], []
    pairs = list(COUNTS)
    for number, (first, second) in enumerate(pairs):
        for sign, count in zip((0.5, -0.5, 0.0), COUNTS[first, second], strict=True):
            strengths = np.zeros(3)
            strengths[first], strengths[second] = sign, -sign
            own = np.eye(len(pairs))[number]
            rows.append([*strengths[1:], float(sign == 0), *own])
            counts.append(count)
    family = models.families.Poisson()
    expected = models.GLM(np.array(counts), np.array(rows), family=family).fit(tol=1e-12)
    even = {pair: (2 * a, 2 * b, 2 * c) for pair, (a, b, c) in COUNTS.items()}
    found = fit(choices(even), prior=0.0)  # doubled: as many on either side
    against_first = found.strengths[1:] - found.strengths[0]
    assert against_first == pytest.approx(expected.params[:2], abs=1e-6)
    assert found.tie == pytest.approx(expected.params[2], abs=1e-6)
    assert found.side == pytest.approx(0, abs=1e-9)


def test_without_ties_it_equals_a_logistic_regression_with_clustered_errors() -> None:
    import statsmodels.api as models

    chance = np.random.default_rng(2)
    pairs = np.array([chance.permutation(4)[:2] for _ in range(300)])
    strengths = np.array([0.0, 0.4, -0.3, 0.9])
    odds = strengths[pairs[:, 0]] - strengths[pairs[:, 1]] + 0.25
    won = chance.random(300) < 1 / (1 + np.exp(-odds))
    clusters = [n // 5 for n in range(300)]
    design = np.zeros((300, 5))
    design[np.arange(300), pairs[:, 0]] += 1
    design[np.arange(300), pairs[:, 1]] -= 1
    design[:, 4] = 1
    expected = models.GLM(won.astype(float), design[:, 1:], family=models.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters), "use_correction": False}
    )
    outcome = np.where(won, 1, -1)
    found = fit(Choices(pairs[:, 0], pairs[:, 1], outcome, clusters, 4), prior=0.0)
    assert found.tie is None
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(expected.params[:3], abs=1e-6)
    assert found.side == pytest.approx(expected.params[3], abs=1e-6)
    correction = (60 / 59) ** 0.5
    for tool in (1, 2, 3):
        error = found.difference(tool, 0)[1]
        assert error == pytest.approx(correction * expected.bse[tool - 1], rel=1e-6)
    assert found.side_error == pytest.approx(correction * expected.bse[3], rel=1e-6)


def test_strengths_sum_to_zero_and_do_not_depend_on_who_is_first() -> None:
    found = fit(choices(COUNTS))
    assert found.strengths.sum() == pytest.approx(0)
    turned = {(2 - b, 2 - a): (n[1], n[0], n[2]) for (a, b), n in COUNTS.items()}
    other = fit(choices(turned))
    assert other.strengths[::-1] == pytest.approx(found.strengths, abs=1e-8)
    assert np.sqrt(np.diag(other.covariance))[::-1] == pytest.approx(
        np.sqrt(np.diag(found.covariance)), abs=1e-8
    )


@pytest.mark.parametrize("counts", [(20, 0, 0), (0, 0, 20), (1, 0, 0), (19, 0, 1)])
def test_one_sided_choices_have_finite_figures(counts: tuple[int, int, int]) -> None:
    found = fit(choices({(0, 1): counts}))
    value, error = found.difference(0, 1)
    ends = found.interval(value, error)
    assert np.isfinite([value, error, ends.low, ends.high, found.side]).all()
    assert 0 <= found.p(value, error) <= 1
    assert (value > 0) == (counts[0] > 0)


def test_leaning_to_the_left_is_taken_out_of_strengths() -> None:
    """Whoever stands on the left is mostly chosen; the tools are equal."""
    rows = [(n % 2, 1 - n % 2, 1 if n // 2 % 10 else -1) for n in range(200)]
    left, right, outcome = (np.array(column) for column in zip(*rows, strict=True))
    found = fit(Choices(left, right, outcome, list(range(200)), 2))
    assert found.side > 2 and found.interval(found.side, found.side_error).low > 1.5
    assert found.difference(1, 0)[0] == pytest.approx(0, abs=1e-6)
