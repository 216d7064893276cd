def test_one_week():
    assert business_days("2024-03-04", "2024-03-10") == 5


def test_both_ends_count():
    assert business_days("2024-03-01", "2024-03-01") == 1
    assert business_days("2024-03-01", "2024-03-04") == 2


def test_weekend_only():
    assert business_days("2024-03-02", "2024-03-03") == 0


def test_holidays():
    assert business_days("2024-12-23", "2025-01-03", ["2024-12-25", "2024-12-26"]) == 8


def test_holiday_on_weekend_takes_nothing():
    assert business_days("2024-06-03", "2024-06-09", ["2024-06-08", "2024-06-08"]) == 5


def test_leap_day():
    assert business_days("2024-02-28", "2024-03-01") == 3


def test_end_before_start():
    assert business_days("2024-03-08", "2024-03-04") == 0
