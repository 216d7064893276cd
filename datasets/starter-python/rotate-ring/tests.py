def test_left():
    items = [1, 2, 3, 4, 5]
    rotate_ring(items, 2)
    assert items == [3, 4, 5, 1, 2]


def test_right():
    items = ["a", "b", "c", "d"]
    rotate_ring(items, -1)
    assert items == ["d", "a", "b", "c"]


def test_more_than_once_around():
    items = [1, 2, 3]
    rotate_ring(items, 7)
    assert items == [2, 3, 1]


def test_far_to_the_right():
    items = [1, 2, 3, 4]
    rotate_ring(items, -9)
    assert items == [4, 1, 2, 3]


def test_full_turn_and_back():
    items = [7, 8, 9]
    rotate_ring(items, 3)
    assert items == [7, 8, 9]
    rotate_ring(items, 1)
    assert items == [8, 9, 7]


def test_empty_then_short():
    items = []
    rotate_ring(items, 4)
    assert items == []
    items = ["x", "y"]
    assert rotate_ring(items, 1) is None
    assert items == ["y", "x"]
