"""Runs, candidates and verdicts, durable: in a SQLite file, or on a PostgreSQL server."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Suite, Verdict
from polyassay.store import rows, schema
from polyassay.store.database import Database, Progress, insert_new
from polyassay.store.locks import SessionLock, lock_file
from polyassay.store.numbers import begin, next_number, number_last, unused_id
from polyassay.wording import did_you_mean

_PAGE = 500  # rows that are read at once
LATEST = "latest"  # names the newest run


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    created: str  # here: of an imported run, when it arrived
    provenance: Mapping[str, Any]  # "suites" maps each name to its version and checksum
    number: int = 0  # rises from run to run of a store

    @property
    def label(self) -> str:
        """What a person calls it; empty where it has no label."""
        return str(self.provenance.get("label", ""))

    @property
    def imported(self) -> bool:
        """Whether its verdicts came in a file, and so were not judged for this store."""
        return bool(self.provenance.get("imported"))

    @property
    def created_there(self) -> str:
        """What the file of an imported run says about its date, which cannot be checked."""
        return str(self.provenance.get("created_there", ""))


@dataclass(frozen=True, slots=True)
class Failures:
    """Why each of some verdicts failed, as this version of the taxonomy says; None: it did not."""

    version: int
    names: Sequence[str | None]


class Store:
    """Everything is committed when a method returns."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._locks: dict[str, SessionLock] = {}  # of runs that are executed here

    @classmethod
    def open(cls, url: str, progress: Progress = lambda _: None) -> Self:
        """Opens or makes a store, and brings its schema up to date."""
        database = Database(url)
        database.migrate(progress)
        return cls(database)

    @classmethod
    def at(cls, home: Path, progress: Progress = lambda _: None) -> Self:
        """The default store of a working folder."""
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PolyAssayError(
                f"{home} cannot be made: {error.strerror}.",
                hint="Run in a folder that you may write to, or give --store URL.",
            ) from None
        return cls.open(f"sqlite:///{home / 'store.sqlite'}", progress)

    @property
    def folder(self) -> Path | None:
        """Where its file is, if it is one."""
        path = None if self._database.is_server else self._database.engine.url.database
        return Path(path).resolve().parent if path else None

    def close(self) -> None:
        self._database.engine.dispose()

    @contextmanager
    def alone(self, run: str) -> Iterator[None]:
        """No two processes execute one run; a PolyAssayError says which one does."""
        if not self._database.is_server:
            with lock_file((self.folder or Path.cwd()) / "locks", run):
                yield
            return
        self._locks[run] = SessionLock(self._database, run)
        try:
            yield
        finally:
            self._locks.pop(run).close()

    def start_run(
        self,
        suites: Iterable[Suite],
        candidates: Iterable[Candidate],
        provenance: Mapping[str, Any],
    ) -> Run:
        """Records what will be run, whole, before any of it runs."""
        with self._transaction() as connection:
            begin(connection)
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
            return replace(run, number=number_last(connection, run.id))

    def _save_suite(self, connection: sa.Connection, suite: Suite) -> None:
        table = schema.suites
        this = table.c.checksum == suite.checksum
        known = connection.execute(sa.select(table.c.body).where(this)).scalar()
        if known is None:
            fields = {"checksum": suite.checksum, "body": rows.suite_body(suite)}
            connection.execute(insert_new(connection, table), fields)
        elif rows.suite_of(known) != suite:
            # The same tasks, but newer rules decided how they are judged.
            connection.execute(table.update().where(this), {"body": rows.suite_body(suite)})

    def _insert_run(self, connection: sa.Connection, provenance: Mapping[str, Any]) -> Run:
        """Without its number, which it gets when all of it is written."""
        created = datetime.now(UTC).isoformat(timespec="microseconds")
        run = Run(unused_id(connection, next_number(connection)), created, provenance)
        connection.execute(
            schema.runs.insert(),
            {"id": run.id, "created": created, "provenance": json.dumps(provenance)},
        )
        return run

    def save_verdicts(
        self, run: str, verdicts: Sequence[Verdict], failures: Failures | None = None
    ) -> None:
        """Durable when it returns; a second verdict of a candidate changes nothing."""
        made = [rows.verdict_rows(run, verdict) for verdict in verdicts]
        for i, (columns, _) in enumerate(made):
            columns["failure"] = failures.names[i] if failures else None
            columns["taxonomy"] = failures.version if failures else 0

        def save(connection: sa.Connection) -> None:
            for table, found in (
                (schema.verdicts, [figures for figures, _ in made]),
                (schema.verdict_bodies, [body for _, body in made]),
            ):
                connection.execute(insert_new(connection, table), found)

        if made:
            (self._locks.get(run) or self._database).do(save)

    def forget_harness_errors(self, run: str) -> None:
        """Forgets the verdicts that were our fault, so that a resumed run tries them again."""
        table, bodies = schema.verdicts, schema.verdict_bodies
        ours = sa.and_(table.c.run == run, table.c.outcome == "harness_error")
        key = [table.c[name] for name in rows.KEY]
        its = sa.tuple_(*(bodies.c[name] for name in rows.KEY)).in_(sa.select(*key).where(ours))
        with self._transaction() as connection:
            connection.execute(bodies.delete().where(bodies.c.run == run, its))
            connection.execute(table.delete().where(ours))

    def runs(self) -> list[Run]:
        """All runs, the newest first."""
        query = sa.select(schema.runs).order_by(schema.runs.c.number.desc())
        return [
            Run(r["id"], r["created"], json.loads(r["provenance"]), r["number"])
            for r in self._read(query)
        ]

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
        if Path(name).exists():
            hint = f"{name} is a file: judge it first, `polyassay run -s SUITE -c TOOL={name}`."
            raise PolyAssayError(f'There is no run "{name}".', hint=hint)
        recent = ", ".join(map(self._named, runs[:5]))
        names = [LATEST, *(one for run in runs for one in (run.label, run.id) if one)]
        hint = f"{did_you_mean(name, names)}The newest are: {recent}."
        raise PolyAssayError(f'There is no run "{name}".', hint=hint)

    def _named(self, run: Run) -> str:
        wanted = self.answered(run.id).total()
        rest = " (not complete)" if self.count_verdicts(run.id) < wanted else ""
        return f"{run.label or run.id}{rest}"

    def suite(self, checksum: str) -> Suite:
        query = sa.select(schema.suites.c.body).where(schema.suites.c.checksum == checksum)
        with self._transaction() as connection:
            return rows.suite_of(connection.execute(query).scalar_one())

    def suites(self, run: Run) -> dict[str, Suite]:
        """The suites of a run as they were when it started; how they are judged may be newer."""
        return {name: self.suite(of["checksum"]) for name, of in run.provenance["suites"].items()}

    def candidates(
        self,
        run: str,
        suite: str = "",
        tasks: Iterable[str] = (),
        judged: bool = True,
        by_tool: bool = False,
    ) -> Iterator[Candidate]:
        """All, or those for some tasks of a suite, in the order in which they were read.

        `judged`: also those that have a verdict when their page is read; `by_tool`: in the order of
        tool, prompt language, sample and task.
        """
        table = schema.candidates
        query = sa.select(table).where(table.c.run == run)
        if not judged:
            same = [table.c[name] == schema.verdicts.c[name] for name in ("run", *rows.KEY)]
            query = query.where(~sa.exists().where(*same))
        if suite:
            query = query.where(table.c.suite == suite, table.c.task.in_(tasks))
        if by_tool:
            # The table's key begins with the task, and finds one sample of many tasks quickly.
            sample = [table.c.tool, table.c.prompt_language, table.c.sample]
            pages = self._database.pages_of_groups(query, sample, [table.c.task], _PAGE)
        else:
            pages = self._database.pages(query, [table.c.position], _PAGE)
        for page in pages:
            yield from (rows.candidate_of(row._mapping) for row in page)

    def origins(self, run: str) -> Iterator[tuple[CandidateKey, Mapping[str, Any]]]:
        """Where answers come from, for those of which that is known."""
        table = schema.candidates
        columns = [*(table.c[name] for name in rows.KEY), table.c.origin]
        query = sa.select(*columns).where(table.c.run == run, table.c.origin.is_not(None))
        for row in self._pages(query, columns[:-1]):
            yield rows.key_of(row), json.loads(row["origin"])

    def answered(self, run: str) -> Counter[tuple[str, str]]:
        """How many candidates each task has that has any, by suite and task."""
        return self._count_by_task(schema.candidates, run)

    def judged(self, run: str) -> Counter[tuple[str, str]]:
        """How many verdicts each task has that has any, by suite and task."""
        return self._count_by_task(schema.verdicts, run)

    def _count_by_task(self, table: sa.Table, run: str) -> Counter[tuple[str, str]]:
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
        self,
        run: str,
        task: str | None = None,
        tool: str | None = None,
        suite: str | None = None,
    ) -> Iterator[Verdict]:
        """In the order of suite, task, tool, prompt language and sample."""
        table = schema.verdicts
        query = self._whole_verdicts(run)
        if task is not None:
            query = query.where(table.c.task == task)
        if tool is not None:
            query = query.where(table.c.tool == tool)
        if suite is not None:
            query = query.where(table.c.suite == suite)
        for row in self._pages(query, [table.c[name] for name in rows.KEY]):
            yield rows.verdict_of(row)

    def _whole_verdicts(self, run: str) -> sa.Select[Any]:
        table, bodies = schema.verdicts, schema.verdict_bodies
        same = sa.and_(*(table.c[name] == bodies.c[name] for name in ("run", *rows.KEY)))
        query = sa.select(table, bodies.c.body).join_from(table, bodies, same)
        return query.where(table.c.run == run)

    def _pages(
        self, query: sa.Select[Any], place: Sequence[sa.ColumnElement[Any]]
    ) -> Iterator[sa.RowMapping]:
        for page in self._database.pages(query, place, _PAGE):
            yield from (row._mapping for row in page)

    def _read(self, query: sa.Select[Any]) -> Sequence[sa.RowMapping]:
        return self._database.do(lambda connection: connection.execute(query).mappings().all())

    def _transaction(self) -> AbstractContextManager[sa.Connection]:
        """One transaction, whose failures are told in a sentence."""
        return self._database.transaction()
