"""A Bayesian reading beside the comparison: how probable it is that a tool is better.

A model in two levels: the true difference of two tools is drawn from a normal distribution around
zero (tools that are compared with each other are seldom far apart), and what was seen is drawn
around the true one with the standard error of the comparison, as a t-distribution because that is
estimated. The chance is then a sum over a grid: no sampling, no further dependency.
"""

from typing import Any

import numpy as np

from polyassay.statistics.paired import Difference

PRIOR = 0.10  # standard deviation of true differences, of the scale's span: 10 points
_GRID = np.linspace(-5, 5, 2001)  # in units of the prior's deviation


def chance_better(found: Difference, margin: float = 0.0, prior: float = PRIOR) -> Any:
    """The probability that the true difference is above `margin`."""
    scale = prior * (found.high if found.high is not None else 10 * np.asarray(found.error))
    true = _GRID * np.asarray(scale)[..., None] if np.ndim(scale) else _GRID * scale
    centre, error = np.asarray(found.centre)[..., None], np.asarray(found.error)[..., None]
    degrees = np.asarray(found.degrees)[..., None]
    distance = (centre - true) / error
    likely = -(degrees + 1) / 2 * np.log1p(distance**2 / degrees) - _GRID**2 / 2
    weight = np.exp(likely - likely.max(-1, keepdims=True))
    above = (weight * (true > margin)).sum(-1) + (weight * (true == margin)).sum(-1) / 2
    return above / weight.sum(-1)
