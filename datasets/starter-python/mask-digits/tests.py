def test_card_number():
    assert mask_digits("4000 1234 5678 9010") == "**** **** **** 9010"


def test_separators_between_kept_digits():
    assert mask_digits("12-34-56", keep=3) == "**-*4-56"


def test_fewer_digits_than_kept():
    assert mask_digits("pin 123") == "pin 123"
    assert mask_digits("pin 1234") == "pin 1234"


def test_keep_none():
    assert mask_digits("Room 101, floor 7", keep=0) == "Room ***, floor *"


def test_digits_before_text():
    assert mask_digits("0123456 and more", keep=2) == "*****56 and more"


def test_empty_text():
    assert mask_digits("") == ""
