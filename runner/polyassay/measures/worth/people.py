"""Which measure goes along with what people say: rank correlation, resampled by cluster."""

from collections.abc import Hashable, Mapping

import numpy as np

from polyassay.measures.worth.agreement import Agreed
from polyassay.measures.worth.resampling import SEED, Array, draws, numbered, percentiles
from polyassay.model import CandidateKey

RESAMPLES = 500
FEWEST = 3  # answers; fewer have no order worth the name


def spearman(x: Array, y: Array) -> float:
    from scipy.stats import rankdata  # slow to import

    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def with_people(
    values: Mapping[CandidateKey, Mapping[str, float]],
    opinions: Mapping[str, Mapping[CandidateKey, float]],
    clusters: Mapping[CandidateKey, Hashable],
) -> dict[str, dict[str, Agreed]]:
    """Dimension → measure → Spearman's rho over the answers that have both."""
    found: dict[str, dict[str, Agreed]] = {}
    for dimension, means in opinions.items():
        names = sorted({name for key in means for name in values.get(key, ())})
        for name in names:
            keys = sorted(key for key in means if name in values.get(key, ()))
            agreed = _rho(
                np.array([values[key][name] for key in keys]),
                np.array([means[key] for key in keys]),
                [clusters[key] for key in keys],
            )
            found.setdefault(dimension, {})[name] = agreed
    return found


def _rho(x: Array, y: Array, clusters: list[Hashable]) -> Agreed:
    rho = spearman(x, y)
    if not np.isfinite(rho):
        return Agreed(None, None, len(x))
    index = numbered(clusters)
    drawn = []
    for weights in draws(int(index.max()) + 1, RESAMPLES, SEED):
        chosen = np.repeat(np.arange(len(x)), weights[index].astype(int))
        drawn.append(spearman(x[chosen], y[chosen]))
    return Agreed(rho, percentiles(np.array(drawn)), len(x))
