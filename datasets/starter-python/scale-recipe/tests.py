def test_whole_numbers():
    assert scale_amount("3", "4") == "12"


def test_fractions():
    assert scale_amount("3/4", "1/2") == "3/8"
    assert scale_amount("2/3", "3/4") == "1/2"


def test_mixed_result():
    assert scale_amount("3/4", "3") == "2 1/4"
    assert scale_amount("1 1/2", "1 1/2") == "2 1/4"


def test_mixed_becomes_whole():
    assert scale_amount("1 1/3", "3") == "4"
    assert scale_amount("2 1/2", "2/5") == "1"


def test_exact_thirds():
    assert scale_amount("1/3", "1/7") == "1/21"
    assert scale_amount("10 1/3", "1/3") == "3 4/9"


def test_zero():
    assert scale_amount("0", "2 1/2") == "0"
