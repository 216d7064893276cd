import numpy as np


def moving_average(values, window):
    if not 1 <= window <= len(values):
        raise ValueError("window must be between 1 and the number of values")
    return np.convolve(values, np.ones(window), mode="valid") / window
