"""A run as one file: its suites, answers, verdicts, measures and provenance, to be read elsewhere.

The file is gzipped JSON, a value a line: a head with the run and how many lines of each kind
follow, the lines, and the SHA-256 of all of them. It names no path, and nothing of it is believed:
every line is made into the value that it stands for before it is kept, in one transaction that
ends with the checksum.
"""

import dataclasses
import gzip
import hashlib
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import Suite, Verdict
from polyassay.store import Run, Store, rows, schema
from polyassay.store.database import insert_new
from polyassay.store.numbers import begin, is_taken, next_number, take_turn, unused_id

FORMAT = 1
BEGINNING = b'{"polyassay_run":'  # of what is unpacked; other files begin otherwise
LONGEST = 256 * 2**20  # bytes of a line
_BATCH = 500
_IN_JSON = {bytes: str, float: (int, float)}  # how columns' values are written


def export_run(store: Store, run: Run, file: BinaryIO) -> int:
    """Writes the file; returns how many verdicts it has."""
    digest = hashlib.sha256()
    suites = store.suites(run)
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:

        def write(value: Any) -> None:
            line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            packed.write(line)

        queries = _queries(store, run.id)
        counts = {kind: _count(store, query) for kind, query in queries.items()}
        head = {"id": run.id, "created": run.created, "provenance": run.provenance}
        write({"polyassay_run": FORMAT, "run": head, "lines": {"suite": len(suites), **counts}})
        for suite in suites.values():
            write({"suite": dataclasses.asdict(suite)})
        for kind, query in queries.items():
            table = _TABLES[kind]
            place = [table.c.position] if kind == "candidate" else list(table.primary_key)[1:]
            for row in store._pages(query, place):
                write({kind: {name: value for name, value in row.items() if name != "run"}})
        packed.write(json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n")
    return counts["verdict"]


_TABLES = {
    "candidate": schema.candidates,
    "verdict": schema.verdicts,
    "measured": schema.measured,
}


def _queries(store: Store, run: str) -> dict[str, sa.Select[Any]]:
    found = {kind: sa.select(table).where(table.c.run == run) for kind, table in _TABLES.items()}
    return found | {"verdict": store._whole_verdicts(run)}


def _count(store: Store, query: sa.Select[Any]) -> int:
    return int(
        store._read(sa.select(sa.func.count().label("n")).select_from(query.subquery()))[0]["n"]
    )


def import_run(store: Store, path: Path) -> tuple[Run, bool]:
    """Keeps the run of a file, whole or not at all; False: it is here already.

    It keeps its id where that is free.
    """
    try:
        with path.open("rb") as file:
            return _Reader(store, path, file).read()
    except (OSError, EOFError, zlib.error) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else "is damaged"
        raise PolyAssayError(f"{path} cannot be read: {told}.", hint=_HINT) from None


_HINT = "Nothing was imported. Export the run again, with `polyassay runs export RUN FILE`."


class _Reader:
    def __init__(self, store: Store, path: Path, file: BinaryIO) -> None:
        self._store, self._path = store, path
        self._unpacked = gzip.GzipFile(fileobj=file)
        self._digest = hashlib.sha256()
        self._line = 0
        self._tasks: set[tuple[str, str]] = set()

    def read(self) -> tuple[Run, bool]:
        head = self._next()
        if not isinstance(head, dict) or head.get("polyassay_run") != FORMAT:
            raise self._bad("this is no run that PolyAssay exported, or a newer one did")
        with self._store._transaction() as connection:
            begin(connection)
            take_turn(connection)
            run, counts, suites = self._checked(lambda: _head(head))
            if known := self._known(connection, run):
                return known, False
            run = self._insert(connection, run)
            for checksum in suites:
                self._keep_suite(connection, checksum, suites[checksum])
            for kind in _TABLES:  # in the order of the file
                self._keep_rows(connection, kind, counts[kind], run.id)
            expected = self._digest.hexdigest()
            if self._next() != {"sha256": expected} or self._unpacked.read(1):
                raise self._bad("its checksum is wrong: it was changed or cut off")
        return run, True

    def _known(self, connection: sa.Connection, run: Run) -> Run | None:
        query = sa.select(schema.runs).where(schema.runs.c.id == run.id)
        row = connection.execute(query).mappings().first()
        if row is None:
            return None
        there = Run(row["id"], row["created"], json.loads(row["provenance"]), row["number"])
        same = (there.created, _plain(there)) == (run.created, _plain(run))
        return there if same else None

    def _insert(self, connection: sa.Connection, run: Run) -> Run:
        number = next_number(connection)
        name = unused_id(connection, number) if is_taken(connection, run.id) else run.id
        facts = {**run.provenance, "imported": True}
        if run.label and is_taken(connection, run.label):
            del facts["label"]
        kept = Run(name, run.created, facts, number)
        connection.execute(
            schema.runs.insert(),
            {"id": name, "created": run.created, "number": number}
            | {"provenance": json.dumps(facts)},
        )
        return kept

    def _keep_suite(self, connection: sa.Connection, checksum: str, name: str) -> None:
        suite = self._checked(lambda: rows.suite_from(self._next()["suite"]))
        if (suite.name, suite.checksum) != (name, checksum):
            raise self._bad("the run has other suites")
        self._tasks |= {(suite.name, task.id) for task in suite.tasks}
        table = schema.suites
        query = sa.select(table.c.body).where(table.c.checksum == checksum)
        known = connection.execute(query).scalar()
        if known is not None and _asked(rows.suite_of(known)) != _asked(suite):
            raise self._bad(f"this store has another suite {name} with the same checksum")
        connection.execute(
            insert_new(connection, table), {"checksum": checksum, "body": rows.suite_body(suite)}
        )

    def _keep_rows(self, connection: sa.Connection, kind: str, count: int, run: str) -> None:
        made: dict[str, list[dict[str, Any]]] = {}
        for number in range(count):
            for table, values in self._next_row(kind, run, number):
                made.setdefault(table, []).append(values)
            if number % _BATCH == _BATCH - 1 or number + 1 == count:
                for table, batch in made.items():
                    connection.execute(schema.metadata.tables[table].insert(), batch)
                made = {}

    def _next_row(self, kind: str, run: str, number: int) -> list[tuple[str, dict[str, Any]]]:
        row = self._checked(lambda: self._row(kind, self._next()[kind]))
        found: list[tuple[str, dict[str, Any]]]
        found = self._checked(lambda: _values(kind, row, run, number))
        return found

    def _row(self, kind: str, found: Mapping[str, Any]) -> dict[str, Any]:
        """A row whose values have the types of their columns, about a task of the run."""
        row = {name: value for name, value in found.items() if name != "run"}
        for column in _TABLES[kind].columns:
            if column.name == "run" or (row[column.name] is None and column.nullable):
                continue
            value, plain = row[column.name], getattr(column.type, "impl_instance", column.type)
            wanted: Any = _IN_JSON.get(plain.python_type, plain.python_type)
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise TypeError(column.name)
        if (row["suite"], row["task"]) not in self._tasks:
            raise ValueError(row["task"])
        return row

    def _checked(self, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise self._bad("this is not what a run has there") from None

    def _next(self) -> Any:
        self._line += 1
        text = self._unpacked.readline(LONGEST)
        if not text.endswith(b"\n"):
            raise self._bad("it is cut off" if len(text) < LONGEST else "the line is too long")
        value = self._checked(lambda: json.loads(text))
        if not (isinstance(value, dict) and value.keys() == {"sha256"}):
            self._digest.update(text)
        return value

    def _bad(self, why: str) -> PolyAssayError:
        return PolyAssayError(f"{self._path}, line {self._line}: {why}.", hint=_HINT)


def _values(kind: str, row: Any, run: str, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The rows to keep, made from the value that a line stands for."""
    if kind == "candidate":
        return [("candidates", rows.candidate_row(run, number, rows.candidate_of(row)))]
    if kind == "verdict":
        verdict = rows.verdict_of(row)
        _refuse_odd(verdict)
        figures, body = rows.verdict_rows(run, verdict)
        return [("verdicts", figures), ("verdict_bodies", body)]
    if not isinstance(json.loads(row["body"])["values"], dict):
        raise TypeError("values")
    return [("measured", {**row, "run": run})]


def _refuse_odd(verdict: Verdict) -> None:
    """A verdict's text has to be text, and its numbers numbers, wherever they are shown."""
    program = verdict.program
    texts = [verdict.reason, verdict.output, program.source, program.code, program.problem]
    texts += [*verdict.flags, *program.notes, *verdict.sets, *verdict.measures]
    texts += [text for test in verdict.tests for text in (test.name, test.message)]
    numbers = [*verdict.measures.values(), *(test.seconds for test in verdict.tests)]
    numbers += [n for score in verdict.sets.values() for n in (score.passed, score.total)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("text")
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise TypeError("number")


def _head(head: Mapping[str, Any]) -> tuple[Run, Counter[str], dict[str, str]]:
    """The run, how many lines of each kind there are, and its suites by checksum."""
    told, lines = head["run"], head["lines"]
    facts = told["provenance"]
    suites = {of["checksum"]: name for name, of in facts["suites"].items()}
    tools, counts = facts["candidates"]["tools"], Counter(dict(lines))
    texts = (told["id"], told["created"], facts.get("label", ""), *suites, *suites.values(), *tools)
    numbers = (*tools.values(), *counts.values())
    if not all(isinstance(text, str) for text in texts) or not all(
        type(number) is int and number >= 0 for number in numbers
    ):
        raise TypeError(head)
    if len(suites) != counts["suite"] or sum(tools.values()) != counts["candidate"]:
        raise ValueError(head)
    return Run(told["id"], told["created"], facts), counts, suites


def _plain(run: Run) -> dict[str, Any]:
    """Its provenance without what may differ from store to store."""
    own = ("label", "imported")
    return {name: value for name, value in run.provenance.items() if name not in own}


def _asked(suite: Suite) -> list[tuple[Any, ...]]:
    return [(task.id, task.prompts, task.tests) for task in suite.tasks]
