"""Numbers and ids of runs, which never run out and never come twice."""

import secrets
from itertools import count

import sqlalchemy as sa

from polyassay.store import schema


def next_number(connection: sa.Connection) -> int:
    """Higher than that of every run before.

    SQLite has one writer at a time. On a server the lock goes with the transaction, so runs that
    are begun at once are numbered one after the other.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE runs IN SHARE ROW EXCLUSIVE MODE")
    highest = connection.execute(sa.select(sa.func.max(schema.runs.c.number))).scalar()
    return (highest or 0) + 1


def unused_id(connection: sa.Connection, number: int) -> str:
    """Its number, and some digits by which it is not mistaken for a run of another store."""
    for digits in count(1):
        found = f"r{number:x}{secrets.token_hex(digits)}"
        if not is_taken(connection, found):
            return found
    raise AssertionError("count() ends")


def is_taken(connection: sa.Connection, name: str) -> bool:
    """Whether it is the id or the label of a run."""
    runs = schema.runs
    named = sa.or_(runs.c.id == name, runs.c.provenance.contains(f'"label": "{name}"'))
    return connection.execute(sa.select(sa.exists().where(named))).scalar_one()
