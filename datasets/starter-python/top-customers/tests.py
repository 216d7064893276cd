import sqlite3


def database(rows):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE orders (customer TEXT, amount INTEGER)")
    connection.executemany("INSERT INTO orders VALUES (?, ?)", rows)
    return connection


def test_totals_are_sorted():
    connection = database([("ann", 5), ("bob", 20), ("ann", 10), ("cy", 1)])
    assert top_customers(connection, 10) == [("bob", 20), ("ann", 15), ("cy", 1)]


def test_limit():
    connection = database([("a", 1), ("b", 2), ("c", 3), ("d", 4)])
    assert top_customers(connection, 2) == [("d", 4), ("c", 3)]


def test_equal_totals():
    connection = database([("zed", 7), ("amy", 3), ("amy", 4), ("kim", 7), ("lou", 9)])
    assert top_customers(connection, 3) == [("lou", 9), ("amy", 7), ("kim", 7)]


def test_refunds():
    connection = database([("ann", 50), ("ann", -20), ("bob", 5), ("bob", -5), ("cy", -1)])
    assert top_customers(connection, 5) == [("ann", 30)]


def test_no_orders():
    assert top_customers(database([]), 3) == []
