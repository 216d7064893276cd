def test_even_split():
    assert split_bill("100.00", 4) == ["25.00", "25.00", "25.00", "25.00"]


def test_larger_shares_first():
    assert split_bill("100.00", 3) == ["33.34", "33.33", "33.33"]
    assert split_bill("0.05", 3) == ["0.02", "0.02", "0.01"]


def test_more_people_than_cents():
    assert split_bill("0.02", 4) == ["0.01", "0.01", "0.00", "0.00"]


def test_no_decimals():
    assert split_bill("7", 2) == ["3.50", "3.50"]
    assert split_bill("2500", 3) == ["833.34", "833.33", "833.33"]


def test_amounts_that_floats_miss():
    assert split_bill("1.15", 1) == ["1.15"]
    assert split_bill("0.29", 1) == ["0.29"]
    assert split_bill("90071992547409.93", 1) == ["90071992547409.93"]


def test_nobody():
    for people in (0, -3):
        try:
            split_bill("10.00", people)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {people} people"
