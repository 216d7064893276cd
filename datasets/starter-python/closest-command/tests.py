COMMANDS = ["install", "remove", "update", "Status", "search"]


def test_letter_missing():
    assert closest_command("instal", COMMANDS) == "install"


def test_letters_swapped():
    assert closest_command("udpate", COMMANDS) == "update"


def test_best_of_several():
    assert closest_command("searched", ["research", "sear", "search"]) == "search"
    assert closest_command("search", ["search", "sear"]) == "search"


def test_case_is_ignored_and_kept():
    assert closest_command("STATUS", COMMANDS) == "Status"
    assert closest_command("REMOVED", COMMANDS) == "remove"
    assert closest_command("status", ["STATUS"]) == "STATUS"


def test_nothing_close():
    assert closest_command("xyz", COMMANDS) is None
    assert closest_command("abcxy", ["abcpq"]) == "abcpq"  # a ratio of 0.6
    assert closest_command("removes", COMMANDS) == "remove"


def test_no_commands():
    assert closest_command("install", []) is None
    assert closest_command("install", ["install"]) == "install"
