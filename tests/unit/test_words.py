from polyassay.wording import counted


def test_one_is_not_many() -> None:
    assert [counted(n, "task") for n in (0, 1, 2, 1100)] == [
        "0 tasks",
        "1 task",
        "2 tasks",
        "1,100 tasks",
    ]
    assert counted(1, "library", "libraries") == "1 library"
    assert counted(3, "library", "libraries") == "3 libraries"
