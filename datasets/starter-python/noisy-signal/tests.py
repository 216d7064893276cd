import numpy as np


def test_mean_and_deviation():
    noise = np.asarray(noisy_signal(np.zeros(20000), 2.0))
    assert noise.shape == (20000,)
    assert abs(noise.mean()) < 0.15
    assert 1.9 < noise.std() < 2.1


def test_bell_shape():
    noise = np.abs(np.asarray(noisy_signal(np.zeros(20000), 1.0)))
    assert 0.65 < (noise < 1.0).mean() < 0.715
    assert 0.935 < (noise < 2.0).mean() < 0.972


def test_follows_the_signal():
    signal = np.linspace(-50.0, 50.0, 4000)
    noise = np.asarray(noisy_signal(signal, 0.5)) - signal
    assert abs(noise[:2000].mean()) < 0.1
    assert abs(noise[2000:].mean()) < 0.1
    assert 0.4 < noise.std() < 0.6


def test_new_noise_each_time():
    signal = np.ones(50)
    first = np.asarray(noisy_signal(signal, 1.0))
    second = np.asarray(noisy_signal(signal, 1.0))
    assert first.shape == second.shape == (50,)
    assert not np.allclose(first, second)


def test_signal_unchanged():
    signal = np.arange(100.0)
    result = np.asarray(noisy_signal(signal, 3.0))
    assert result.shape == (100,)
    assert np.array_equal(signal, np.arange(100.0))
    assert not np.array_equal(result, signal)


def test_no_deviation():
    signal = np.array([1.0, -2.0, 4.0])
    assert np.asarray(noisy_signal(signal, 0.0)).tolist() == [1.0, -2.0, 4.0]
