import numpy as np


def noisy_signal(signal, deviation):
    return signal + np.random.default_rng().normal(0.0, deviation, size=np.shape(signal))
