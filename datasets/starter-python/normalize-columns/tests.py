import numpy as np


def test_mean_and_deviation():
    table = np.array([[1.0, 200.0], [2.0, 400.0], [6.0, 900.0], [3.0, 100.0]])
    result = np.asarray(normalize_columns(table))
    assert result.shape == (4, 2)
    assert np.allclose(result.mean(axis=0), 0.0)
    assert np.allclose(result.std(axis=0), 1.0)


def test_exact_values():
    result = np.asarray(normalize_columns(np.array([[1, 10], [3, 30]])))
    assert result.shape == (2, 2)
    assert np.allclose(result, [[-1.0, -1.0], [1.0, 1.0]])


def test_constant_column():
    result = np.asarray(normalize_columns(np.array([[5, 1], [5, 2], [5, 3]])))
    assert result[:, 0].tolist() == [0.0, 0.0, 0.0]
    assert np.allclose(result[:, 1], [-1.224744871, 0.0, 1.224744871])


def test_one_row():
    assert np.asarray(normalize_columns(np.array([[4, -2, 0]]))).tolist() == [[0.0, 0.0, 0.0]]


def test_argument_unchanged():
    table = np.array([[1.0, 5.0], [3.0, 5.0]])
    result = np.asarray(normalize_columns(table))
    assert result.shape == (2, 2)
    assert table.tolist() == [[1.0, 5.0], [3.0, 5.0]]
    assert result.tolist() == [[-1.0, 0.0], [1.0, 0.0]]
