def test_single_units():
    assert parse_duration("45s") == 45
    assert parse_duration("90m") == 5400
    assert parse_duration("3h") == 10800
    assert parse_duration("2d") == 172800


def test_several_units():
    assert parse_duration("1h30m") == 5400
    assert parse_duration("2d45s") == 172845
    assert parse_duration("1d1h1m1s") == 90061


def test_spaces_around():
    assert parse_duration("  10m5s ") == 605


def test_zero():
    assert parse_duration("0s") == 0
    assert parse_duration("0h07m") == 420


def test_wrong_order_or_repeated():
    for text in ("30m1h", "1h2h", "5s5s"):
        try:
            parse_duration(text)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {text!r}"


def test_incomplete():
    for text in ("", "   ", "15", "1h30", "h", "mh"):
        try:
            parse_duration(text)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {text!r}"


def test_strange_characters():
    for text in ("-5s", "1.5h", "1h 30m", "3w", "10M"):
        try:
            parse_duration(text)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {text!r}"
