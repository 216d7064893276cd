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
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
from polyassay.store.moving.odd_values import refuse_odd, refuse_odd_conditions, refuse_odd_options
from polyassay.store.moving.withheld import (
    NEVER_SENT,
    WITHHELD,
    provenance_without,
    row_without,
    suite_without,
)
from polyassay.store.numbers import begin, is_taken, next_number, take_turn, unused_id

FORMAT = 1
BEGINNING = b'{"polyassay_run":'  # of what is unpacked; other files begin otherwise
LONGEST = 256 * 2**20  # bytes of a line
_BATCH = 500
_IN_JSON = {bytes: str, float: (int, float)}  # how columns' values are written


def export_run(store: Store, run: Run, file: BinaryIO, without: Sequence[str] = ()) -> int:
    """Writes the file; returns how many verdicts it has. `without`: see withheld.py."""
    digest = hashlib.sha256()
    suites = store.suites(run)
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:

        def write(value: Any) -> None:
            line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            packed.write(line)

        queries = _queries(store, run.id, NEVER_SENT if without else "")
        counts = {kind: _count(store, query) for kind, query in queries.items()}
        created = run.created_there or run.created
        facts = _plain(run, but=("label",))
        if without:
            facts = provenance_without(facts)
        head = {"id": run.id, "created": created, "provenance": facts}
        head |= {"without": sorted(without)} if without else {}
        write({"polyassay_run": FORMAT, "run": head, "lines": {"suite": len(suites), **counts}})
        for suite in suites.values():
            write({"suite": suite_without(suite) if without else dataclasses.asdict(suite)})
        for kind, query in queries.items():
            table = _TABLES[kind]
            place = [table.c.position] if kind == "candidate" else list(table.primary_key)[1:]
            for row in store._pages(query, place):
                kept = {name: value for name, value in row.items() if name != "run"}
                write({kind: row_without(kind, kept) if without else kept})
        packed.write(json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n")
    return counts["verdict"]


_TABLES = {
    "candidate": schema.candidates,
    "verdict": schema.verdicts,
    "measured": schema.measured,
}


def _queries(store: Store, run: str, but: str) -> dict[str, sa.Select[Any]]:
    """`but`: a tool that is left out."""
    found = {kind: sa.select(table).where(table.c.run == run) for kind, table in _TABLES.items()}
    found |= {"verdict": store._whole_verdicts(run)}
    return {kind: query.where(_TABLES[kind].c.tool != but) for kind, query in found.items()}


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
    without: tuple[str, ...] = ()  # what the file left out


SuiteProblem = Callable[[Suite], str]  # why it is not what its checksum stands for; empty: it is
SuiteHere = Callable[[str], Suite | None]  # the suite of this name, where one is here


def import_run(
    store: Store, path: Path, problem_of: SuiteProblem, here: SuiteHere = lambda _: None
) -> Arrival:
    """Keeps the run of a file, whole or not at all. It keeps its id where that is free.

    A file without tests is of suites that have to be here: with them it is scored and judged.
    """
    try:
        with path.open("rb") as file:
            return _Reader(store, path, file, problem_of, here).read()
    except (OSError, EOFError, zlib.error) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        raise PolyAssayError(f"{path} cannot be read: {told}.", hint=_HINT) from None


_HINT = "Nothing of it was kept. It has to be exported again: `polyassay runs export RUN FILE`."


class _Reader:
    def __init__(
        self, store: Store, path: Path, file: BinaryIO, problem_of: SuiteProblem, here: SuiteHere
    ) -> None:
        self._store, self._path, self._problem_of, self._here = store, path, problem_of, here
        self._unpacked = gzip.GzipFile(fileobj=file)
        self._digest = hashlib.sha256()
        self._line = 0
        self._left_out: tuple[str, ...] = ()
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
        self._left_out = _without(head["run"].get("without"))
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
        return Arrival(run, known is None, told.id, told.label, self._left_out)

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
        facts |= {"without": list(self._left_out)} if self._left_out else {}
        kept = Run(name, datetime.now(UTC).isoformat(timespec="microseconds"), facts, number)
        connection.execute(
            schema.runs.insert(),
            {"id": name, "created": kept.created, "number": number}
            | {"provenance": json.dumps(facts)},
        )
        return kept

    def _suite(self, checksum: str, name: str) -> Suite:
        suite: Suite = self._checked(lambda: self._suite_of(self._next()["suite"]), "suite")
        if (suite.name, suite.checksum) != (name, checksum):
            raise self._bad("the run has other suites")
        if problem := self._checked(lambda: self._problem_of(suite), "suite"):
            raise self._bad(f"{name} is not the suite that it says it is: {problem}")
        self._tasks |= {(suite.name, task.id) for task in suite.tasks}
        return suite

    def _suite_of(self, found: dict[str, Any]) -> Suite:
        if not found.get("withheld"):
            return rows.suite_from({n: of for n, of in found.items() if n != "withheld"})
        name, checksum = str(found["name"]), str(found["checksum"])
        here = self._here(name)
        if here is None or here.checksum != checksum:
            raise PolyAssayError(
                f"{self._path} has no tests, and {name} ({checksum[:8]}) is not here.",
                hint=f"Add {name} in that version, then read the file again.",
            )
        return here

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
            refuse_odd(verdict)
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


def _without(told: object) -> tuple[str, ...]:
    return tuple(name for name in WITHHELD if name in told) if isinstance(told, list) else ()


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
    refuse_odd_options(facts.get("options", {}))
    refuse_odd_conditions(facts)
    return Run(told["id"], told["created"], facts), counts, suites


def _plain(run: Run, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Its provenance without what differs from store to store, `but` for some of that."""
    own = {"label", "imported", "created_there", "without"}.difference(but)
    return {name: value for name, value in run.provenance.items() if name not in own}


def _mark(value: Candidate | Verdict) -> bytes:
    """What tells it from others, short enough to hold a million of them."""
    return hashlib.sha256(repr(value).encode()).digest()
