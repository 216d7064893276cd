import os


def write_files(**texts):
    """Write NAME_1="x" to the file NAME.log.1, and NAME="x" to NAME.log."""
    for key, text in texts.items():
        name, _, number = key.partition("_")
        path = f"{name}.log.{number}" if number else f"{name}.log"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def read_files(name):
    """The texts of all files that start with NAME.log, by file name."""
    texts = {}
    for path in os.listdir("."):
        if path.startswith(f"{name}.log"):
            with open(path, encoding="utf-8") as file:
                texts[path] = file.read()
            os.remove(path)
    return texts


def test_first_rotation():
    write_files(first="hello\n")
    count = rotate_logs("first.log", 3)
    assert read_files("first") == {"first.log": "", "first.log.1": "hello\n"}
    assert count == 1


def test_copies_move_up():
    write_files(move="new", move_1="older", move_2="oldest")
    count = rotate_logs("move.log", 5)
    assert read_files("move") == {
        "move.log": "",
        "move.log.1": "new",
        "move.log.2": "older",
        "move.log.3": "oldest",
    }
    assert count == 3


def test_last_copy_is_deleted():
    write_files(full="c", full_1="b", full_2="a")
    count = rotate_logs("full.log", 2)
    assert read_files("full") == {"full.log": "", "full.log.1": "c", "full.log.2": "b"}
    assert count == 2


def test_gap_between_copies():
    write_files(gap="x", gap_2="y")
    count = rotate_logs("gap.log", 4)
    assert read_files("gap") == {"gap.log": "", "gap.log.1": "x", "gap.log.3": "y"}
    assert count == 2


def test_keep_one():
    write_files(single="now", single_1="then")
    count = rotate_logs("single.log", 1)
    assert read_files("single") == {"single.log": "", "single.log.1": "now"}
    assert count == 1


def test_no_log_yet():
    write_files(none_1="before")
    count = rotate_logs("none.log", 3)
    assert read_files("none") == {"none.log": "", "none.log.2": "before"}
    assert count == 1
