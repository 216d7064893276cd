SIMPLE = "city,item,price\nRome,tea,2.5\nOslo,tea,4\nRome,cake,3.25\n"
QUOTED = 'shop,sum\n"Smith, Jones",10\n"The ""Old"" Mill",1.5\n"Smith, Jones",5\n'
BREAKS = 'note,who,hours\n"first\nsecond",ann,2\nplain,bob,1\n"a, b",ann,0.5\n'
GAPS = "team,points\nred,1\nblue,\nred,\nblue,7\ngreen,\n"


def test_simple():
    assert csv_totals(SIMPLE, "city", "price") == {"Rome": 5.75, "Oslo": 4.0}


def test_other_group():
    assert csv_totals(SIMPLE, "item", "price") == {"tea": 6.5, "cake": 3.25}


def test_commas_and_quotes_in_fields():
    assert csv_totals(QUOTED, "shop", "sum") == {"Smith, Jones": 15.0, 'The "Old" Mill': 1.5}


def test_line_break_in_field():
    assert csv_totals(BREAKS, "who", "hours") == {"ann": 2.5, "bob": 1.0}


def test_empty_values_are_skipped():
    assert csv_totals(GAPS, "team", "points") == {"red": 1.0, "blue": 7.0}


def test_header_only():
    assert csv_totals("a,b\n", "a", "b") == {}
