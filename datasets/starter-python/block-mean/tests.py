import numpy as np


def test_square_image():
    image = np.arange(16).reshape(4, 4)
    result = np.asarray(block_mean(image, 2))
    assert result.tolist() == [[2.5, 4.5], [10.5, 12.5]]


def test_wide_image():
    image = np.array([[0, 3, 6, 9, 12, 15], [3, 6, 9, 12, 15, 18], [6, 9, 12, 15, 18, 21]])
    result = np.asarray(block_mean(image, 3))
    assert result.shape == (1, 2)
    assert np.allclose(result, [[6.0, 15.0]])


def test_size_one_keeps_values():
    image = np.array([[1.5, 2.5, 3.5]])
    result = np.asarray(block_mean(image, 1))
    assert result.tolist() == [[1.5, 2.5, 3.5]]


def test_whole_image_is_one_block():
    image = np.full((5, 5), 7)
    image[0, 0] = 32
    result = np.asarray(block_mean(image, 5))
    assert result.tolist() == [[8.0]]


def test_rows_not_a_multiple():
    try:
        block_mean(np.zeros((5, 4)), 2)
        raised = False
    except ValueError:
        raised = True
    assert raised, "ValueError expected for 5 × 4 in blocks of 2"


def test_columns_not_a_multiple():
    try:
        block_mean(np.zeros((4, 5)), 2)
        raised = False
    except ValueError:
        raised = True
    assert raised, "ValueError expected for 4 × 5 in blocks of 2"
