"""A whole store from one database into another."""

from typing import Any

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.store import Store, schema
from polyassay.store.database import Progress

_BATCH = 1000
_TOLD = 100_000  # rows, after which something is said


def copy_store(source: Store, target: Store, progress: Progress = lambda _: None) -> dict[str, int]:
    """Copies every row, whole or not at all, into a store that is empty; rows by table.

    The source is read as it is at one moment, whatever is written to it meanwhile.
    """
    tables = [table for table in schema.metadata.sorted_tables if table is not schema.version]
    copied: dict[str, int] = {}
    with source._transaction() as reading, target._transaction() as writing:
        if reading.dialect.name == "postgresql":
            reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        else:
            reading.exec_driver_sql("BEGIN")
        for table in tables:
            if writing.execute(sa.select(sa.exists().select_from(table))).scalar():
                raise PolyAssayError(
                    f"{target._database.shown} is not empty.",
                    hint="Name a store that is not there yet; single runs can be exported.",
                )
        for table in tables:
            copied[table.name] = _copy_table(table, reading, writing, progress)
        _count_on(writing, tables)
    return copied


def _copy_table(
    table: sa.Table, reading: sa.Connection, writing: sa.Connection, progress: Progress
) -> int:
    query = sa.select(table).order_by(*table.primary_key)
    count, told = 0, 0
    for rows in reading.execution_options(yield_per=_BATCH).execute(query).mappings().partitions():
        batch: list[dict[str, Any]] = [dict(row) for row in rows]
        writing.execute(table.insert(), batch)
        count += len(batch)
        if count - told >= _TOLD:
            told = count
            progress(f"{count:,} rows of {table.name} are copied.")
    return count


def _count_on(connection: sa.Connection, tables: list[sa.Table]) -> None:
    """PostgreSQL numbers new rows by counters, which know nothing of rows that were copied."""
    if connection.dialect.name != "postgresql":
        return
    for table in tables:
        if table.autoincrement_column is not None:
            number = table.autoincrement_column
            counter = sa.func.pg_get_serial_sequence(table.name, number.name)
            highest = sa.func.max(number)
            connection.execute(
                sa.select(sa.func.setval(counter, highest)).having(highest.is_not(None))
            )
