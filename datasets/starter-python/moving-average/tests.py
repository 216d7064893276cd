import numpy as np


def test_window_of_three():
    result = np.asarray(moving_average(np.array([1, 2, 3, 4, 8]), 3))
    assert result.shape == (3,)
    assert np.allclose(result, [2.0, 3.0, 5.0])


def test_window_of_one():
    result = np.asarray(moving_average(np.array([4.5, -1.0, 0.25]), 1))
    assert result.shape == (3,)
    assert np.allclose(result, [4.5, -1.0, 0.25])


def test_window_as_long_as_values():
    result = np.asarray(moving_average(np.array([1.0, 2.0, 6.0]), 3))
    assert result.shape == (1,)
    assert np.allclose(result, [3.0])


def test_many_values():
    result = np.asarray(moving_average(np.arange(1000), 10))
    assert result.shape == (991,)
    assert np.allclose(result, np.arange(991) + 4.5)


def test_window_too_small():
    try:
        moving_average(np.array([1.0, 2.0]), 0)
        raised = False
    except ValueError:
        raised = True
    assert raised, "ValueError expected for a window of 0"


def test_window_too_large():
    try:
        moving_average(np.array([1.0, 2.0]), 3)
        raised = False
    except ValueError:
        raised = True
    assert raised, "ValueError expected for a window of 3 over 2 values"
