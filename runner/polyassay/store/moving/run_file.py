"""A run as one file: its suites, answers, verdicts, measures and provenance, to be read elsewhere.

The file is gzipped JSON, a value a line: a head with the run and how many lines of each kind
follow, the lines, and the SHA-256 of all of them. It names no path, and nothing of it is believed:
every line is made into the value that it stands for before it is kept, in one transaction that
ends with the checksum. Its label is its owner's and is left out; its date is kept as what the file
says, for here it counts when the run arrived.
"""

import dataclasses
import gzip
import hashlib
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa

from polyassay import rules
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, Suite, Verdict
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
        created = run.created_there or run.created
        head = {"id": run.id, "created": created, "provenance": _plain(run, but=("label",))}
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


@dataclass(frozen=True, slots=True)
class Arrival:
    run: Run
    new: bool  # False: it is here already, with the same answers and verdicts
    told_id: str  # the file's; another one where that was taken
    label: str  # the file's, which was not given here


SuiteProblem = Callable[[Suite], str]  # why it is not what its checksum stands for; empty: it is


def import_run(store: Store, path: Path, problem_of: SuiteProblem) -> Arrival:
    """Keeps the run of a file, whole or not at all. It keeps its id where that is free."""
    try:
        with path.open("rb") as file:
            return _Reader(store, path, file, problem_of).read()
    except (OSError, EOFError, zlib.error) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        raise PolyAssayError(f"{path} cannot be read: {told}.", hint=_HINT) from None


_HINT = "Nothing of it was kept. It has to be exported again: `polyassay runs export RUN FILE`."


class _Reader:
    def __init__(self, store: Store, path: Path, file: BinaryIO, problem_of: SuiteProblem) -> None:
        self._store, self._path, self._problem_of = store, path, problem_of
        self._unpacked = gzip.GzipFile(fileobj=file)
        self._digest = hashlib.sha256()
        self._line = 0
        self._tasks: set[tuple[str, str]] = set()
        self._marks: set[bytes] | None = None  # of its candidates and verdicts, where asked for

    def read(self) -> Arrival:
        head = self._next()
        if not isinstance(head, dict) or head.get("polyassay_run") != FORMAT:
            raise self._bad("this is no run that PolyAssay exported, or a newer one did")
        told, counts, suites = self._checked(lambda: _head(head), "head")
        if not rules.is_known(told.provenance.get("rules", 1)):
            raise self._bad(
                f"it names no rules from 1 to {rules.RULES}, which are those that this PolyAssay "
                "knows; it was changed, or a newer PolyAssay made it"
            )
        known = self._known(told)
        self._marks = set() if known else None
        with self._store._transaction() as connection:
            begin(connection)
            take_turn(connection)
            run = known or self._insert(connection, told)
            for checksum in suites:
                suite = self._suite(checksum, suites[checksum])
                body = {"checksum": checksum, "body": rows.suite_body(suite)}
                connection.execute(insert_new(connection, schema.suites), body)
            for kind in _TABLES:  # in the order of the file
                self._keep_rows(None if known else connection, kind, counts[kind], run.id)
            expected = self._digest.hexdigest()
            if self._next() != {"sha256": expected} or self._unpacked.read(1):
                raise self._bad("its checksum is wrong: it was changed or cut off")
        if known:
            self._refuse_another(known)
        return Arrival(run, known is None, told.id, told.label)

    def _known(self, told: Run) -> Run | None:
        """The run here that says the same of itself; whether it is the same is still to be seen."""
        for here in self._store.runs():
            if here.id == told.id:
                created = here.created_there or here.created
                return here if (created, _plain(here)) == (told.created, _plain(told)) else None
        return None

    def _refuse_another(self, known: Run) -> None:
        here = {_mark(value) for value in self._store.candidates(known.id)}
        here |= {_mark(value) for value in self._store.verdicts(known.id)}
        if here != self._marks:
            raise PolyAssayError(
                f"{self._path} says that it is run {known.id}, which is here, but has other "
                "answers or verdicts.",
                hint="One of the two was changed. Nothing of the file was kept; "
                "`polyassay leaderboard check FILE` judges its answers.",
            )

    def _insert(self, connection: sa.Connection, told: Run) -> Run:
        number = next_number(connection)
        name = unused_id(connection, number) if is_taken(connection, told.id) else told.id
        facts = _plain(told) | {"imported": True, "created_there": told.created}
        kept = Run(name, datetime.now(UTC).isoformat(timespec="microseconds"), facts, number)
        connection.execute(
            schema.runs.insert(),
            {"id": name, "created": kept.created, "number": number}
            | {"provenance": json.dumps(facts)},
        )
        return kept

    def _suite(self, checksum: str, name: str) -> Suite:
        suite: Suite = self._checked(lambda: rows.suite_from(self._next()["suite"]), "suite")
        if (suite.name, suite.checksum) != (name, checksum):
            raise self._bad("the run has other suites")
        if problem := self._checked(lambda: self._problem_of(suite), "suite"):
            raise self._bad(f"{name} is not the suite that it says it is: {problem}")
        self._tasks |= {(suite.name, task.id) for task in suite.tasks}
        return suite

    def _keep_rows(self, connection: sa.Connection | None, kind: str, count: int, run: str) -> None:
        """Without a connection they are only looked at."""
        made: dict[str, list[dict[str, Any]]] = {}
        for number in range(count):
            for table, values in self._next_row(kind, run, number):
                made.setdefault(table, []).append(values)
            if number % _BATCH == _BATCH - 1 or number + 1 == count:
                for table, batch in made.items() if connection else ():
                    assert connection
                    connection.execute(schema.metadata.tables[table].insert(), batch)
                made = {}

    def _next_row(self, kind: str, run: str, number: int) -> list[tuple[str, dict[str, Any]]]:
        row = self._checked(lambda: self._row(kind, self._next()[kind]), kind)
        found: list[tuple[str, dict[str, Any]]]
        found = self._checked(lambda: self._values(kind, row, run, number), kind)
        return found

    def _values(
        self, kind: str, row: Any, run: str, number: int
    ) -> list[tuple[str, dict[str, Any]]]:
        """The rows to keep, made from the value that a line stands for."""
        if kind == "candidate":
            candidate = rows.candidate_of(row)
            self._note(candidate)
            return [("candidates", rows.candidate_row(run, number, candidate))]
        if kind == "verdict":
            verdict = rows.verdict_of(row)
            _refuse_odd(verdict)
            self._note(verdict)
            figures, body = rows.verdict_rows(run, verdict)
            return [("verdicts", figures), ("verdict_bodies", body)]
        if not isinstance(json.loads(row["body"])["values"], dict):
            raise TypeError("values")
        return [("measured", {**row, "run": run})]

    def _note(self, value: Candidate | Verdict) -> None:
        if self._marks is not None:
            self._marks.add(_mark(value))

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

    def _checked(self, make: Callable[[], Any], what: str) -> Any:
        try:
            return make()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise self._bad(f"this is no {what} as PolyAssay writes it") from None

    def _next(self) -> Any:
        self._line += 1
        text = self._unpacked.readline(LONGEST)
        if not text.endswith(b"\n"):
            raise self._bad("it is cut off" if len(text) < LONGEST else "the line is too long")
        value = self._checked(lambda: json.loads(text), "line of JSON")
        if not (isinstance(value, dict) and value.keys() == {"sha256"}):
            self._digest.update(text)
        return value

    def _bad(self, why: str) -> PolyAssayError:
        return PolyAssayError(f"{self._path}, line {self._line}: {why}.", hint=_HINT)


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
    datetime.fromisoformat(told["created"])
    _refuse_odd_options(facts.get("options", {}))
    _refuse_odd_conditions(facts)
    return Run(told["id"], told["created"], facts), counts, suites


def _refuse_odd_options(told: Any) -> None:
    """Those by which boards tell runs apart: one that is no such value would stop every board."""
    for name in ("timeout", "limit", "eval_tests", "hold_out", "test_seed"):
        if not isinstance(told.get(name, 0), int | float | None):
            raise TypeError(name)
    if not all(isinstance(text, str) for pair in told.get("tasks", ()) for text in pair):
        raise TypeError("tasks")
    if any(len(pair) != 2 for pair in told.get("tasks", ())):
        raise ValueError("tasks")


def _refuse_odd_conditions(facts: Mapping[str, Any]) -> None:
    """What boards and `show` read of a run's provenance."""
    made_with = [of for of in facts.get("environments", {}).values() if of is not None]
    options = facts.get("options", {})
    texts = [facts.get("engine", ""), facts.get("judging", ""), *facts.get("command", [])]
    texts += [options.get("engine", ""), options.get("comparison", "")]
    texts += facts.get("interpreters", {}).values()
    texts += [of.get("version", "") for of in facts["suites"].values()]
    texts += [text for of in made_with for text in (of["set"], *of["pins"])]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("conditions")
    if not all(type(of.get("tasks", 0)) is int for of in facts["suites"].values()):
        raise TypeError("tasks")
    if not all(isinstance(of, dict) for of in facts["candidates"].get("sources", [])):
        raise TypeError("sources")


def _plain(run: Run, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Its provenance without what differs from store to store, `but` for some of that."""
    own = {"label", "imported", "created_there"}.difference(but)
    return {name: value for name, value in run.provenance.items() if name not in own}


def _mark(value: Candidate | Verdict) -> bytes:
    """What tells it from others, short enough to hold a million of them."""
    return hashlib.sha256(repr(value).encode()).digest()
