"""Numbers and ids of runs, which never run out and never come twice."""

import secrets
from itertools import count

import sqlalchemy as sa

from polyassay.store import schema


def take_turn(connection: sa.Connection) -> None:
    """Begins a transaction in which runs are numbered: others that do so wait for its end."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE runs IN SHARE ROW EXCLUSIVE MODE")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def next_number(connection: sa.Connection) -> int:
    """Higher than that of every run before; the caller has taken its turn."""
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
