"""The ordinal mixed model equals published fits and statsmodels."""

import numpy as np
import pytest

from polyassay.statistics.ordinal import fit_ordinal

# Randall (1989), the data `wine` of R's package ordinal: nine judges rate the bitterness of eight
# bottles, 1 to 5; the last four are warm, the second of each two pairs had contact.
WINE = (
    *("23344455", "12132354", "23325544", "32323253", "23433333"),
    *("32322454", "11222323", "22233334", "12323244"),
)


def test_it_equals_the_published_fit_of_clmm() -> None:
    """`clmm(rating ~ temp + contact + (1 | judge), wine)` in the vignette of ordinal."""
    scores = [int(score) for judge in WINE for score in judge]
    columns = np.array([[b >= 4, b % 4 >= 2] for _ in WINE for b in range(8)], dtype=float)
    found = fit_ordinal(scores, columns, [judge for judge in range(9) for _ in range(8)])
    assert found and found.converged
    assert found.effects == pytest.approx([3.0630, 1.8349], abs=0.005)
    assert found.errors == pytest.approx([0.5954, 0.5125], abs=0.005)
    assert found.thresholds == pytest.approx([-1.6237, 1.5134, 4.2285, 6.0888], abs=0.005)
    assert found.spread**2 == pytest.approx(1.279, abs=0.02)
    assert found.log_likelihood == pytest.approx(-81.57, abs=0.05)
    assert found.p(0) < 1e-5 and found.interval(1).low > 0.8


def test_without_a_spread_of_clusters_it_equals_statsmodels() -> None:
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    chance = np.random.default_rng(4)
    columns = chance.integers(0, 2, (400, 2)).astype(float)
    latent = columns @ np.array([0.8, -0.4]) + chance.logistic(size=400)
    scores = np.digitize(latent, [-1, 0.5, 2]) + 1
    found = fit_ordinal(scores.tolist(), columns, [n // 4 for n in range(400)])
    plain = OrderedModel(scores, columns, distr="logit").fit(method="bfgs", disp=False)
    assert found and found.spread < 0.3
    assert found.effects == pytest.approx(plain.params[:2], abs=0.02)
    assert found.errors == pytest.approx(plain.bse[:2], rel=0.05)


def test_nothing_is_told_where_nothing_varies() -> None:
    columns = np.ones((4, 1))
    assert fit_ordinal([2, 2, 2, 2], columns, [0, 0, 1, 1]) is None
    assert fit_ordinal([1, 2, 1, 2], columns, [0, 0, 0, 0]) is None
