"""The parts of a run's verdicts that scores need, without the bodies, which have the rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from polyassay.model import CandidateKey, Outcome, Verdict
from polyassay.store import Store, rows, schema

_PAGE = 20_000  # rows that are read at once
_BODIES = 500  # bodies, which are larger


COLUMNS = (*rows.KEY, "outcome", "passed", "total", "judged", "recorded", "failure")


@dataclass(frozen=True, slots=True)
class VerdictTally:
    """One tool's answers to one task: how many there are, and how their tests went."""

    task: str
    tool: str
    answers: int
    all_passed: int  # answers of which all tests passed
    none_passed: int
    ratio: float  # mean share of tests that passed


class VerdictFigures:
    """The part of a store that scores read; why verdicts failed is found out later and kept."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, run: str) -> Iterator[Sequence[tuple[Any, ...]]]:
        """Rows of COLUMNS in pages, in the order of suite, task, tool, language and sample."""
        table = schema.verdicts
        query = sa.select(*(table.c[name] for name in COLUMNS)).where(table.c.run == run)
        pages = self._store._database.pages(query, [table.c[name] for name in rows.KEY], _PAGE)
        return cast("Iterator[Sequence[tuple[Any, ...]]]", pages)

    def asked(self, run: str) -> list[CandidateKey]:
        """One judged candidate of each tool, task and prompt language."""
        key = [schema.verdicts.c[name] for name in rows.KEY[:-1]]
        query = sa.select(*key, sa.func.min(schema.verdicts.c.sample).label(rows.KEY[-1]))
        query = query.where(schema.verdicts.c.run == run).group_by(*key).order_by(*key)
        return [rows.key_of(row) for row in self._store._read(query)]

    def tally(self, runs: Sequence[str], suite: str, but: Sequence[str]) -> list[VerdictTally]:
        """What each tool's answers to each task of a suite came to, in all of these runs."""
        table = schema.verdicts
        share = sa.case((table.c.total > 0, table.c.passed * 1.0 / table.c.total), else_=0.0)
        query = sa.select(
            table.c.task,
            table.c.tool,
            sa.func.count().label("answers"),
            _how_many(table.c.passed == table.c.total).label("all_passed"),
            _how_many(table.c.passed == 0).label("none_passed"),
            sa.func.avg(share).label("ratio"),
        ).where(self._of(runs, suite), table.c.tool.not_in(but))
        found = self._store._read(query.group_by(table.c.task, table.c.tool))
        return [VerdictTally(**row) for row in found]

    def some_passed(
        self, runs: Sequence[str], suite: str, task: str, whole: bool = False
    ) -> Iterator[Verdict]:
        """Verdicts on a task of which some tests passed but not all; `whole`: of any outcome."""
        table = schema.verdicts
        partly = sa.and_(table.c.passed > 0, table.c.passed < table.c.total)
        key = [table.c[name] for name in rows.KEY]
        for run in runs:
            query = self._store._whole_verdicts(run)
            query = query.where(self._of([run], suite), table.c.task == task)
            for row in self._store._pages(query if whole else query.where(partly), key):
                yield rows.verdict_of(row)

    def is_passed(self, runs: Sequence[str], key: CandidateKey) -> bool:
        """Whether this candidate passed in any of these runs."""
        table = schema.verdicts
        this = [table.c[name] == getattr(key, name) for name in rows.KEY]
        passed = table.c.outcome == Outcome.PASSED.value
        query = sa.select(table.c.run).where(table.c.run.in_(runs), passed, *this)
        return bool(self._store._read(query.limit(1)))

    def _of(self, runs: Sequence[str], suite: str) -> sa.ColumnElement[bool]:
        table = schema.verdicts
        ours = [outcome.value for outcome in Outcome if not outcome.counts]
        return sa.and_(table.c.run.in_(runs), table.c.suite == suite, table.c.outcome.not_in(ours))

    def outcomes(self, *runs: str) -> dict[str, dict[Outcome, int]]:
        """How many verdicts of each outcome these runs have so far, by run."""
        table = schema.verdicts
        query = sa.select(table.c.run, table.c.outcome, sa.func.count().label("count"))
        query = query.where(table.c.run.in_(runs)).group_by(table.c.run, table.c.outcome)
        found: dict[str, dict[Outcome, int]] = {run: {} for run in runs}
        for row in self._store._read(query):
            found[row["run"]][Outcome(row["outcome"])] = row["count"]
        return found

    def settle_failures(
        self, run: str, version: int, failures: Mapping[Outcome, str | None]
    ) -> None:
        """Keeps why verdicts failed whose outcome says it all."""
        table = schema.verdicts
        for outcome, failure in failures.items():
            these = self._unsettled(run, version) & (table.c.outcome == outcome.value)
            with self._store._transaction() as connection:
                kept = {"failure": failure, "taxonomy": version}
                connection.execute(table.update().where(these), kept)

    def are_settled(self, run: str, version: int) -> bool:
        """Whether this version of the taxonomy has named all failures."""
        found = sa.select(sa.exists().where(self._unsettled(run, version)).label("any"))
        return not self._store._read(found)[0]["any"]

    def unsettled(self, run: str, version: int) -> Iterator[list[Verdict]]:
        """Verdicts whose failure this version of the taxonomy has not named yet, in pages."""
        query = self._store._whole_verdicts(run).where(self._unsettled(run, version))
        key = [schema.verdicts.c[name] for name in rows.KEY]
        for page in self._store._database.pages(query, key, _BODIES):
            yield [rows.verdict_of(row._mapping) for row in page]

    def save_failures(
        self, run: str, version: int, found: Sequence[tuple[CandidateKey, str | None]]
    ) -> None:
        table = schema.verdicts
        this = sa.and_(*(table.c[name] == sa.bindparam(f"its_{name}") for name in rows.KEY))
        update = table.update().where(table.c.run == run, this).values(taxonomy=version)
        values = [
            {"failure": failure} | {f"its_{name}": getattr(key, name) for name in rows.KEY}
            for key, failure in found
        ]
        with self._store._transaction() as connection:
            connection.execute(update, values)

    def _unsettled(self, run: str, version: int) -> sa.ColumnElement[bool]:
        table = schema.verdicts
        return sa.and_(table.c.run == run, table.c.taxonomy != version)


def _how_many(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))
