import numpy as np


def normalize_columns(table):
    centred = np.asarray(table, dtype=float) - np.mean(table, axis=0)
    deviation = centred.std(axis=0)
    return centred / np.where(deviation == 0, 1.0, deviation)
