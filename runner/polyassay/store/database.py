"""The connection to a store's database: SQLite in a file, or a PostgreSQL server.

A server that is restarted is waited for, within a limit, by those who were connected before.
"""

import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError

from polyassay.errors import PolyAssayError
from polyassay.shown_text import hide_passwords
from polyassay.store import schema

Found = TypeVar("Found")
Progress = Callable[[str], None]
Columns = Sequence[sa.ColumnElement[Any]]

PATIENCE = 60.0  # seconds in which a server has to come back
ATTEMPTS = 5  # of one transaction
_PAUSE = 0.5
_ADDRESSES = "Use sqlite:///PATH or postgresql://USER@HOST/NAME."
_MIGRATING = 7082  # PostgreSQL's advisory lock; any number that nothing else takes


class Lost(PolyAssayError):
    """The server went away amid a transaction, of which it has kept nothing or all."""


class Database:
    """Hands out transactions, whose failures are told in a sentence."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_server = self.engine.dialect.name == "postgresql"
        self._was_there = False

    def migrate(self, progress: Progress) -> None:
        """Makes the schema or brings it up to date, whole or not at all, one process at a time."""
        with self.transaction() as connection:
            _migrate(connection, self.shown, progress)
        self._was_there = True

    @property
    def shown(self) -> str:
        """Its address without a password."""
        return hide_passwords(self.engine.url.render_as_string(hide_password=True))

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        with self.told(), self.connect() as connection, connection.begin():
            yield connection

    def do(self, work: Callable[[sa.Connection], Found]) -> Found:
        """Does `work` in a transaction; again, where the server went away meanwhile.

        It may have kept what it was told to before it went, so `work` done twice must be as good
        as done once.
        """
        return again(lambda: self._once(work))

    def _once(self, work: Callable[[sa.Connection], Found]) -> Found:
        with self.transaction() as connection:
            return work(connection)

    def pages(
        self, query: sa.Select[Any], place: Columns, size: int
    ) -> Iterator[Sequence[sa.Row[Any]]]:
        """All rows in the order of `place`, which tells them apart, a page at a time.

        No transaction is open while rows are used: several are read at once and slowly.
        """
        query, after = query.order_by(*place), cast("sa.ColumnElement[bool]", sa.true())
        while True:
            found = self._rows(query.where(after).limit(size))
            if found:
                yield found
            if len(found) < size:
                return
            last = [getattr(found[-1], column.name) for column in place]
            after = sa.tuple_(*place) > _place(last, place)

    def pages_of_groups(
        self, query: sa.Select[Any], group: Columns, within: Columns, size: int
    ) -> Iterator[Sequence[sa.Row[Any]]]:
        """All rows in the order of `group` and `within`, in pages of whole groups.

        For an order that no index has, where one finds a range of groups: a page of at least `size`
        rows, or the last one, sorts nothing but itself.
        """
        counted = query.with_only_columns(*group, sa.func.count())
        counts = self._rows(counted.group_by(*group).order_by(*group))
        query, here = query.order_by(*group, *within), sa.tuple_(*group)
        for first, last in _ranges(counts, size):
            yield self._rows(query.where(here >= _place(first, group), here <= _place(last, group)))

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return self.do(lambda connection: connection.execute(query).all())

    def connect(self) -> sa.Connection:
        """A connection, as soon as the server takes one."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self.engine.connect()
            except OperationalError:
                if not (self.is_server and self._was_there) or time.monotonic() > until:
                    raise
                time.sleep(_PAUSE)

    @contextmanager
    def told(self) -> Iterator[None]:
        """What the database refuses within is told in a sentence; a broken key is a caller's."""
        try:
            yield
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise _told(error, self.engine.url, self.shown) from error


def _place(values: Sequence[Any], columns: Columns) -> sa.Tuple:
    return sa.tuple_(*values, types=[column.type for column in columns])


def _ranges(counts: Sequence[sa.Row[Any]], size: int) -> Iterator[tuple[Sequence[Any], ...]]:
    """The first and the last group of each page, from rows that end with how many a group has."""
    first, rows = 0, 0
    for place, (*_, count) in enumerate(counts):
        rows += count
        if rows >= size or place == len(counts) - 1:
            yield counts[first][:-1], counts[place][:-1]
            first, rows = place + 1, 0


def again(work: Callable[[], Found]) -> Found:
    """Tries what a lost connection broke off; connecting waits for the server."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except Lost:
            continue
    return work()


def insert_new(connection: sa.Connection, table: sa.Table, *unique: str) -> Any:
    """An insert that leaves alone what is there, by its key or by these columns."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing(index_elements=unique or None)


def _engine(url: str) -> sa.Engine:
    try:
        address = sa.make_url(url)
        if address.drivername in ("postgresql", "postgres"):
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() == "sqlite":
            engine = sa.create_engine(address)
            sa.event.listen(engine, "connect", _make_durable)
            return engine
        return sa.create_engine(address, pool_pre_ping=True, connect_args=_who_connects(address))
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise _no_address(url, error) from None
        raise PolyAssayError(
            "A store on a PostgreSQL server needs psycopg, which is not installed.",
            hint="pip install 'polyassay[postgres]'",
        ) from None
    except (sa.exc.ArgumentError, ImportError, ValueError) as error:
        raise _no_address(url, error) from None


def _no_address(url: str, error: Exception) -> PolyAssayError:
    """A password ends with the last @ of an address, whatever it holds, spaces included."""
    shown = hide_passwords(re.sub(r"(?s)(://[^:/@]*:).*(?=@)", r"\1***", url))
    why = str(error).replace(url, shown)
    return PolyAssayError(
        f'"{shown}" is not a store\'s address: {hide_passwords(why)}.', hint=_ADDRESSES
    )


def _who_connects(address: sa.URL) -> dict[str, str]:
    """The server shows this name to a process that finds a run locked."""
    named = "application_name" in address.query
    return {} if named else {"application_name": f"polyassay, {this_process()}"[:63]}


def this_process() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _make_durable(connection: Any, _record: Any) -> None:
    """Write-ahead log: readers never wait; full sync: a verdict survives a power cut."""
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _migrate(connection: sa.Connection, shown: str, progress: Progress) -> None:
    if _version(connection, shown) == schema.HEAD:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver would not for CREATE TABLE
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
    version = _version(connection, shown)
    if version is None:
        schema.metadata.create_all(connection)
        connection.execute(schema.version.insert(), {"version_num": schema.HEAD})
    elif version != schema.HEAD:  # no other process was faster
        from polyassay.store.migrations import upgrade  # only here: it is slow to import

        upgrade(connection, progress)


def _version(connection: sa.Connection, shown: str) -> str | None:
    """The step that the store is at; a PolyAssayError where it is ahead of us."""
    if not sa.inspect(connection).has_table(schema.version.name):
        return None
    version = connection.execute(sa.select(schema.version.c.version_num)).scalar()
    if version is not None and version > schema.HEAD:
        raise PolyAssayError(
            f"{shown} was written by a newer PolyAssay (schema {version}).",
            hint="Update PolyAssay, or give another --store.",
        )
    return version


def _told(error: DatabaseError, url: sa.URL, shown: str) -> PolyAssayError:
    place = url.database or shown if url.get_backend_name() == "sqlite" else shown
    if error.connection_invalidated:
        return Lost(
            f"The store {place} went away and did not come back in time.",
            hint="Start the server, then go on with `polyassay run --resume`.",
        )
    cause = " ".join(hide_passwords(str(error.orig)).split()).rstrip(".")
    if url.password:
        cause = cause.replace(str(url.password), "***")
    for sign, problem, hint in (
        ("disk is full", "the disk is full", "Make room, then go on with `polyassay run --resume`"),
        ("readonly", "it cannot be written", "Check its permissions, or give another --store"),
        ("unable to open", "it cannot be opened", "Check its permissions, or give another --store"),
        ("not a database", "it is damaged", "Move it away, or give another --store"),
        ("malformed", "it is damaged", "Move it away, or give another --store"),
    ):
        if sign in cause:
            return PolyAssayError(f"The store {place} failed: {problem}.", hint=f"{hint}.")
    return PolyAssayError(f"The store {place} failed: {cause}.", hint="Give another --store.")
