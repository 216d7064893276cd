"""One row of the grid each: many comparisons in one world, all computed at once."""

from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy import stats

from polyassay.statistics.bayes import chance_better
from polyassay.statistics.intervals import mean_ends
from polyassay.statistics.paired import Difference, paired
from polyassay.statistics.power import detectable
from polyassay.statistics.ranks import rank_ranges
from polyassay.statistics.significance import holm
from simulation.worlds import Array, World, draw

MULTIPLIERS = 299  # sign flips of max-T
WORLDS = 400  # pairs of tools whose true difference is drawn, for the Bayesian reading
Row = dict[str, float]


def generator(world: World, seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, *world.key().encode()])


def difference(world: World, values: Array, first: int = 0, second: int = 1) -> Difference:
    """As `compare` computes it, for all repeats at once."""
    sums = (values[:, second] - values[:, first]).sum(-1)
    steps = tuple(1 / world.samples[i] if world.measure == "pass" else 0.0 for i in (first, second))
    return paired(sums, np.full(sums.shape[-1], float(world.cluster)), (steps[0], steps[1]))


def two_tools(world: World, repeats: int, seed: int) -> Row:
    """How often intervals hold, and how often which tool is called better."""
    values, truths = draw(world, repeats, generator(world, seed))
    found, truth = difference(world, values), truths[1] - truths[0]
    low, high = found.ends()
    told = found.p < 0.05
    own_low, own_high = mean_ends(
        values[:, 0].sum(-1), np.full(values.shape[2], float(world.cluster))
    )
    row = {
        "interval": np.mean((own_low <= truths[0]) & (truths[0] <= own_high)),
        "difference": np.mean((low <= truth) & (truth <= high)),
        "told": np.mean(told),
        "right": np.mean(told & (found.centre * truth > 0)),
        "contradicts": np.mean(told != ((low > 0) | (high < 0))),
        "truth": truth,
    }
    if world.measure == "pass" and world.samples == (1, 1) and world.cluster == 1:
        row |= _mcnemar(values)
    return {name: 100 * float(value) for name, value in row.items()}


def _mcnemar(values: Array) -> Row:
    """Version 0.1.0's exact test, and its mid-p."""
    apart = (values[:, 1] - values[:, 0])[..., 0]
    ahead, behind = (apart > 0).sum(-1), (apart < 0).sum(-1)
    fewer, tosses = np.minimum(ahead, behind), ahead + behind
    exact = np.minimum(1.0, 2 * stats.binom.cdf(fewer, tosses, 0.5))
    mid = np.where(tosses > 0, exact - stats.binom.pmf(fewer, tosses, 0.5), 1.0)
    return {"exact": float(np.mean(exact < 0.05)), "mid": float(np.mean(mid < 0.05))}


def at_detectable(world: World, repeats: int, seed: int) -> Row:
    """The power against the difference that comparisons in this very world call detectable."""
    shift, rng = 0.0, generator(world, seed)
    for _ in range(4):
        values, _ = draw(replace(world, shift=shift), min(repeats, 500), rng)
        smallest = detectable(difference(world, values))
        shift = float(np.nanmean(smallest)) if not np.isnan(smallest).all() else 1.0
        if np.isnan(smallest).mean() > 0.1 or world.rate + shift > 0.98:
            return {}
    values, _ = draw(replace(world, shift=shift), repeats, rng)
    power = np.mean(difference(world, values).p < 0.05)
    return {"detectable": 100 * shift, "power": 100 * float(power)}


def many_tools(world: World, repeats: int, seed: int) -> Row:
    """All pairs: Holm over the tests, and max-T over sign flips of the clusters."""
    rng = generator(world, seed)
    values, truths = draw(world, repeats, rng)
    pairs = list(combinations(range(len(world.samples)), 2))
    found = [difference(world, values, i, j) for i, j in pairs]
    ps = np.stack([one.p for one in found], -1)
    signs = np.stack([np.sign(one.centre) for one in found], -1)
    true = np.sign([round(truths[j] - truths[i], 9) for i, j in pairs])
    by_holm = np.array([holm(row) for row in ps.tolist()]) < 0.05
    by_max = _max_t(values, pairs, rng)
    told = {"plain": ps < 0.05, "holm": by_holm, "max_t": by_max}
    row: Row = {}
    for name, answers in told.items():
        false = answers & (signs != true)
        row[f"any false, {name}"] = float(np.mean(false.any(-1)))
        if true.any():
            row[f"found, {name}"] = float(np.mean(answers[:, true != 0]))
    row["false rank"] = float(
        np.mean([_false_rank(a, s, truths) for a, s in zip(by_holm, signs, strict=True)])
    )
    return {name: 100 * value for name, value in row.items()}


def _max_t(values: Array, pairs: list[tuple[int, int]], rng: np.random.Generator) -> Array:
    """Whether each pair is beyond what the largest of all pairs reaches under random signs."""
    told = np.zeros((len(values), len(pairs)), bool)
    for r, one in enumerate(values.sum(-1)):
        apart = np.stack([one[j] - one[i] for i, j in pairs])  # pairs, clusters
        scale = np.sqrt((apart**2).sum(-1)) + 1e-12
        flips = rng.choice([-1.0, 1.0], (MULTIPLIERS, apart.shape[-1]))
        largest = np.abs(flips @ (apart / scale[:, None]).T).max(-1)
        told[r] = np.abs(apart.sum(-1) / scale) > np.quantile(largest, 0.95)
    return told


def _false_rank(answers: Array, signs: Array, truths: Array) -> bool:
    """Whether any tool's true ranks lie outside of its range; equal tools share their ranks."""
    count = len(truths)
    better = [[False] * count for _ in range(count)]
    for (i, j), told, sign in zip(combinations(range(count), 2), answers, signs, strict=True):
        if told:
            better[j if sign > 0 else i][i if sign > 0 else j] = True
    for own, (best, worst) in enumerate(rank_ranges(better)):
        first = 1 + int(np.sum(truths > truths[own] + 1e-9))
        last = count - int(np.sum(truths < truths[own] - 1e-9))
        if best > first or worst < last:
            return True
    return False


def margin(world: World, repeats: int, seed: int) -> Row:
    """How often a tool that is worse by just the margin is called not worse."""
    values, truths = draw(world, repeats, generator(world, seed))
    low, _ = difference(world, values).ends()
    return {"not worse": 100 * float(np.mean(low > truths[1] - truths[0] + 1e-12))}


def looks(world: World, repeats: int, seed: int) -> Row:
    """Who looks every 20 tasks and stops at the first answer."""
    values, _ = draw(world, repeats, generator(world, seed))
    told = np.zeros(repeats, bool)
    for tasks in range(20, world.tasks + 1, 20):
        told |= difference(world, values[:, :, :tasks]).p < 0.05
    final = difference(world, values).p < 0.05
    return {"any look": 100 * float(told.mean()), "last look": 100 * float(final.mean())}


def bayes(world: World, repeats: int, seed: int) -> Row:
    """Of the comparisons with a stated chance of about 90 %, in how many the tool is better.

    Which tool is better is drawn afresh each time, so that the chance means what it says.
    """
    rng = generator(world, seed)
    stated, true = [], []
    for shift in rng.normal(0, world.shift, WORLDS):
        one = replace(world, shift=float(np.clip(shift, 0.02 - world.rate, 0.98 - world.rate)))
        values, truths = draw(one, max(1, repeats // WORLDS), rng)
        stated.append(chance_better(difference(one, values)))
        true.append(np.full(len(values), truths[1] > truths[0]))
    said, is_better = np.concatenate(stated), np.concatenate(true)
    row: Row = {}
    for low, high in ((0.0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        at = (said >= low) & (said < high)
        if at.sum() >= 20:
            row[f"{100 * low:.0f}–{min(100, 100 * high):.0f} said"] = 100 * float(said[at].mean())
            row[f"{100 * low:.0f}–{min(100, 100 * high):.0f} true"] = 100 * float(
                is_better[at].mean()
            )
    return row
