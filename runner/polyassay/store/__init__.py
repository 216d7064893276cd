"""Runs, candidates and verdicts, durable: SQLite by default, any SQLAlchemy URL otherwise."""

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError

from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Suite, Verdict
from polyassay.shown_text import hide_passwords
from polyassay.store import rows, schema

_PAGE = 500  # rows that are read at once
LATEST = "latest"  # names the newest run


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    created: str
    provenance: Mapping[str, Any]  # "suites" maps each name to its version and checksum

    @property
    def label(self) -> str:
        """What a person calls it; empty where nobody has named it."""
        return str(self.provenance.get("label", ""))


class Store:
    """Everything is committed when a method returns."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str) -> Self:
        """Opens or makes a store, and brings its schema up to date."""
        try:
            engine = sa.create_engine(url)
        except (sa.exc.ArgumentError, ImportError) as error:
            raise PolyAssayError(
                f'"{hide_passwords(url)}" is not a store\'s address: {hide_passwords(str(error))}.',
                hint="Use sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME.",
            ) from None
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "connect", _make_durable)
        store = cls(engine)
        with store._transaction() as connection:
            _migrate(connection, url)
        return store

    @classmethod
    def at(cls, home: Path) -> Self:
        """The default store of a working folder."""
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PolyAssayError(
                f"{home} cannot be made: {error.strerror}.",
                hint="Run in a folder that you may write to, or give --store URL.",
            ) from None
        return cls.open(f"sqlite:///{home / 'store.sqlite'}")

    @property
    def folder(self) -> Path | None:
        """Where its file is, if it is one."""
        url = self._engine.url
        sqlite = self._engine.dialect.name == "sqlite"
        return Path(url.database).resolve().parent if sqlite and url.database else None

    def close(self) -> None:
        self._engine.dispose()

    def start_run(
        self,
        suites: Iterable[Suite],
        candidates: Iterable[Candidate],
        provenance: Mapping[str, Any],
    ) -> Run:
        """Records what will be run, whole, before any of it runs."""
        with self._transaction() as connection:
            for suite in suites:
                self._save_suite(connection, suite)
            run = self._insert_run(connection, provenance)
            batch: list[dict[str, Any]] = []
            for position, candidate in enumerate(candidates):
                batch.append(rows.candidate_row(run.id, position, candidate))
                if len(batch) == 1000:
                    connection.execute(schema.candidates.insert(), batch)
                    batch = []
            if batch:
                connection.execute(schema.candidates.insert(), batch)
        return run

    def _save_suite(self, connection: sa.Connection, suite: Suite) -> None:
        table = schema.suites
        this = table.c.checksum == suite.checksum
        known = connection.execute(sa.select(table.c.body).where(this)).scalar()
        if known is None:
            fields = {"checksum": suite.checksum, "body": rows.suite_body(suite)}
            connection.execute(table.insert(), fields)
        elif rows.suite_of(known) != suite:
            # The same tasks, but newer rules decided how they are judged.
            connection.execute(table.update().where(this), {"body": rows.suite_body(suite)})

    def _insert_run(self, connection: sa.Connection, provenance: Mapping[str, Any]) -> Run:
        created = datetime.now(UTC).isoformat(timespec="microseconds")
        taken = set(connection.execute(sa.select(schema.runs.c.id)).scalars())
        run_id = next(i for i in iter(lambda: "r" + secrets.token_hex(2), "") if i not in taken)
        connection.execute(
            schema.runs.insert(),
            {"id": run_id, "created": created, "provenance": json.dumps(provenance)},
        )
        return Run(run_id, created, provenance)

    def save_verdicts(self, run: str, verdicts: Sequence[Verdict]) -> None:
        """Durable when it returns; a second verdict of a candidate is refused by the key."""
        with self._transaction() as connection:
            connection.execute(
                schema.verdicts.insert(), [rows.verdict_row(run, verdict) for verdict in verdicts]
            )

    def forget_harness_errors(self, run: str) -> None:
        """Forgets the verdicts that were our fault, so that a resumed run tries them again."""
        table = schema.verdicts
        with self._transaction() as connection:
            connection.execute(
                table.delete().where(table.c.run == run, table.c.outcome == "harness_error")
            )

    def runs(self) -> list[Run]:
        """All runs, the newest first."""
        query = sa.select(schema.runs).order_by(schema.runs.c.created.desc())
        with self._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return [Run(r["id"], r["created"], json.loads(r["provenance"])) for r in found]

    def run(self, name: str) -> Run:
        """The run of that id or label, or the newest for "latest"."""
        runs = self.runs()
        if name == LATEST and runs:
            return runs[0]
        for run in runs:
            if name in (run.id, run.label):
                return run
        if not runs:
            raise PolyAssayError("There is no run yet.", hint="`polyassay run --help` starts one.")
        recent = ", ".join(run.label or run.id for run in runs[:5])
        raise PolyAssayError(f'There is no run "{name}".', hint=f"The newest are: {recent}.")

    def suite(self, checksum: str) -> Suite:
        query = sa.select(schema.suites.c.body).where(schema.suites.c.checksum == checksum)
        with self._transaction() as connection:
            return rows.suite_of(connection.execute(query).scalar_one())

    def suites(self, run: Run) -> dict[str, Suite]:
        """The suites of a run as they were when it started; how they are judged may be newer."""
        return {name: self.suite(of["checksum"]) for name, of in run.provenance["suites"].items()}

    def candidates(
        self, run: str, suite: str = "", tasks: Iterable[str] = ()
    ) -> Iterator[Candidate]:
        """All, or those for some tasks of a suite, in the order in which they were read.

        In pages, because several are read at once and slowly, and each would hold a connection.
        """
        table = schema.candidates
        query = sa.select(table).where(table.c.run == run).order_by(table.c.position)
        if suite:
            query = query.where(table.c.suite == suite, table.c.task.in_(tasks))
        page = query.limit(_PAGE)
        while True:
            with self._transaction() as connection:
                found = connection.execute(page).mappings().all()
            yield from map(rows.candidate_of, found)
            if len(found) < _PAGE:
                return
            page = query.where(table.c.position > found[-1]["position"]).limit(_PAGE)

    def origins(self, run: str) -> Iterator[tuple[CandidateKey, Mapping[str, Any]]]:
        """Where answers come from, for those of which that is known."""
        table = schema.candidates
        columns = [*(table.c[name] for name in rows.KEY), table.c.origin]
        query = sa.select(*columns).where(table.c.run == run, table.c.origin.is_not(None))
        for row in self._stream(query):
            yield rows.key_of(row), json.loads(row["origin"])

    def answered(self, run: str) -> Counter[tuple[str, str]]:
        """How many candidates each task has that has any, by suite and task."""
        table = schema.candidates
        query = sa.select(table.c.suite, table.c.task, sa.func.count()).where(table.c.run == run)
        with self._transaction() as connection:
            found = connection.execute(query.group_by(table.c.suite, table.c.task))
            return Counter({(suite, task): count for suite, task, count in found})

    def candidate(self, run: str, key: CandidateKey) -> Candidate:
        table = schema.candidates
        query = sa.select(table).filter_by(**rows.key_row(run, key))
        with self._transaction() as connection:
            return rows.candidate_of(connection.execute(query).mappings().one())

    def judged_keys(self, run: str) -> set[CandidateKey]:
        """The candidates that have a verdict."""
        table = schema.verdicts
        query = sa.select(*(table.c[name] for name in rows.KEY)).where(table.c.run == run)
        with self._transaction() as connection:
            return {rows.key_of(row) for row in connection.execute(query).mappings()}

    def count_verdicts(self, run: str) -> int:
        table = schema.verdicts
        query = sa.select(sa.func.count()).select_from(table).where(table.c.run == run)
        with self._transaction() as connection:
            return connection.execute(query).scalar_one()

    def verdicts(
        self, run: str, task: str | None = None, tool: str | None = None
    ) -> Iterator[Verdict]:
        """In the order of suite, task, tool, prompt language and sample."""
        table = schema.verdicts
        query = sa.select(table).where(table.c.run == run)
        if task is not None:
            query = query.where(table.c.task == task)
        if tool is not None:
            query = query.where(table.c.tool == tool)
        query = query.order_by(*(table.c[name] for name in rows.KEY))
        for row in self._stream(query):
            yield rows.verdict_of(row)

    def _stream(self, query: sa.Select[Any]) -> Iterator[sa.RowMapping]:
        with self._transaction() as connection:
            result = connection.execution_options(yield_per=_PAGE).execute(query)
            yield from result.mappings()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """One transaction, whose failures are told in a sentence."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise _told(error, self._engine.url) from error


def _make_durable(connection: Any, _record: Any) -> None:
    """Write-ahead log: readers never wait; full sync: a verdict survives a power cut."""
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _migrate(connection: sa.Connection, url: str) -> None:
    """Makes the schema or brings it up to date, whole or not at all, one process at a time."""
    if _version(connection, url) == schema.HEAD:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver would not for CREATE TABLE
    elif connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7082)")
    version = _version(connection, url)
    if version is None:
        schema.metadata.create_all(connection)
        connection.execute(schema.version.insert(), {"version_num": schema.HEAD})
    elif version != schema.HEAD:  # nobody else was faster
        from polyassay.store.migrations import upgrade  # only here: it is slow to import

        upgrade(connection)


def _version(connection: sa.Connection, url: str) -> str | None:
    """The step that the store is at; a PolyAssayError where it is ahead of us."""
    if not sa.inspect(connection).has_table(schema.version.name):
        return None
    version = connection.execute(sa.select(schema.version.c.version_num)).scalar()
    if version is not None and version > schema.HEAD:
        raise PolyAssayError(
            f"{hide_passwords(url)} was written by a newer PolyAssay (schema {version}).",
            hint="Update PolyAssay, or give another --store.",
        )
    return version


def _told(error: DatabaseError, url: sa.URL) -> PolyAssayError:
    cause = hide_passwords(str(error.orig))
    place = url.database or url.render_as_string(hide_password=True)
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
