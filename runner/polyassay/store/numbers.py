"""Numbers and ids of runs, which never run out and never come twice."""

import secrets
from itertools import count

import sqlalchemy as sa

from polyassay.store import schema

_NUMBERING = 7083  # PostgreSQL's advisory lock; any number that nothing else takes


def begin(connection: sa.Connection) -> None:
    """Begins a transaction that writes; in a file, others that write wait for its end."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def take_turn(connection: sa.Connection) -> None:
    """From here to the end of the transaction, others that number a run wait."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_NUMBERING})")


def number_last(connection: sa.Connection, run: str) -> int:
    """Numbers a run whose rows are all written, so that others wait for its end only a moment."""
    take_turn(connection)
    runs = schema.runs
    others = sa.select(sa.func.max(runs.c.number)).where(runs.c.id != run)
    number = (connection.execute(others).scalar() or 0) + 1
    connection.execute(runs.update().where(runs.c.id == run), {"number": number})
    return number


def next_number(connection: sa.Connection) -> int:
    """Higher than that of every run before; for good where the caller has taken its turn."""
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
