import numpy as np


def nearest_point(points, target):
    return int(np.argmin(((np.asarray(points) - target) ** 2).sum(axis=1)))
