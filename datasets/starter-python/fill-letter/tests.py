def test_all_values_known():
    text, missing = fill_letter("Dear $name, see you on $day.", {"name": "Ada", "day": "Monday"})
    assert text == "Dear Ada, see you on Monday."
    assert list(missing) == []


def test_braces():
    text, missing = fill_letter("${item}s cost ${price}", {"item": "Pear", "price": 3})
    assert text == "Pears cost 3"
    assert list(missing) == []


def test_missing_names_stay():
    text, missing = fill_letter("$greeting $name, ${city}!", {"name": "Bo"})
    assert text == "$greeting Bo, ${city}!"
    assert list(missing) == ["city", "greeting"]


def test_missing_name_listed_once():
    text, missing = fill_letter("$b $a ${b} $b", {})
    assert text == "$b $a ${b} $b"
    assert list(missing) == ["a", "b"]


def test_dollar_sign():
    text, missing = fill_letter("$$5 for $who", {"who": "you"})
    assert text == "$5 for you"
    assert list(missing) == []


def test_escaped_name_is_no_placeholder():
    text, missing = fill_letter("write $$name for ${name}", {})
    assert text == "write $name for ${name}"
    assert list(missing) == ["name"]
