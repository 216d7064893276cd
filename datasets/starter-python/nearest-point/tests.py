import numpy as np


def test_plane():
    points = np.array([[0.0, 0.0], [5.0, 5.0], [2.0, 3.0]])
    assert nearest_point(points, np.array([2.5, 2.5])) == 2


def test_euclidean_not_manhattan():
    points = np.array([[0, 5], [3, 3]])
    assert nearest_point(points, np.array([0, 0])) == 1


def test_three_dimensions():
    points = np.array([[1, 1, 1], [-1, -1, -2], [9, 9, 9]])
    assert nearest_point(points, np.array([-2, -2, -2])) == 1


def test_one_dimension():
    assert nearest_point(np.array([[10.0], [4.0], [7.0]]), np.array([6.0])) == 2


def test_first_of_equals():
    points = np.array([[3.0, 3.0], [0.0, 1.0], [1.0, 0.0], [0.0, -1.0]])
    assert nearest_point(points, np.array([0.0, 0.0])) == 1
