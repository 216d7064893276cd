def test_override_wins():
    assert merge_settings({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_nested():
    base = {"log": {"level": "info", "file": {"name": "x", "size": 5}}, "port": 80}
    override = {"log": {"file": {"size": 9}, "color": True}}
    assert merge_settings(base, override) == {
        "log": {"level": "info", "file": {"name": "x", "size": 9}, "color": True},
        "port": 80,
    }


def test_none_removes():
    assert merge_settings({"a": 1, "b": {"c": 2, "d": 3}}, {"a": None, "b": {"c": None}}) == {
        "b": {"d": 3}
    }


def test_none_for_unknown_key():
    assert merge_settings({"a": 1}, {"z": None}) == {"a": 1}


def test_dict_meets_value():
    assert merge_settings({"a": {"b": 1}, "c": 2}, {"a": 5, "c": {"d": 6}}) == {
        "a": 5,
        "c": {"d": 6},
    }


def test_arguments_stay_unchanged():
    base = {"a": {"b": 1, "c": 2}, "d": 0}
    override = {"a": {"b": None, "e": 3}, "d": None}
    assert merge_settings(base, override) == {"a": {"c": 2, "e": 3}}
    assert base == {"a": {"b": 1, "c": 2}, "d": 0}
    assert override == {"a": {"b": None, "e": 3}, "d": None}
