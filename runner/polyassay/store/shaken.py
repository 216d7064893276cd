"""How a run's answers did when they were judged again, round by round, under other conditions.

A verdict stays what it was; that of an answer that did otherwise in any round gets a flag.
"""

import json
from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from polyassay.model import LUCKY, CandidateKey, Outcome, TestStatus, Verdict
from polyassay.store import Store, rows, schema

# An outcome, and the tests that passed: what must stay the same.
Result = tuple[Outcome, frozenset[str]]


def result_of(verdict: Verdict) -> Result:
    passed = (test.name for test in verdict.tests if test.status is TestStatus.PASSED)
    return verdict.outcome, frozenset(passed)


class ShakenVerdicts:
    """The part of a store that holds them; all is durable when a method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def judged(self, run: str, number: int) -> set[CandidateKey]:
        """The answers of which a round is known."""
        table = schema.shaken
        query = sa.select(*(table.c[name] for name in rows.KEY)).filter_by(run=run, round=number)
        with self._store._transaction() as connection:
            return {rows.key_of(row) for row in connection.execute(query).mappings()}

    def save(
        self,
        run: str,
        number: int,
        verdicts: Sequence[Verdict],
        usual: Mapping[CandidateKey, Result],
    ) -> None:
        """What a round found; a failure of ours tells nothing about an answer."""
        unlike = {
            verdict.candidate
            for verdict in verdicts
            if verdict.outcome.counts and result_of(verdict) != usual[verdict.candidate]
        }
        found = [
            rows.key_row(run, verdict.candidate)
            | {"round": number, "outcome": str(verdict.outcome), "passed": verdict.passed}
            | {"differs": verdict.candidate in unlike}
            for verdict in verdicts
        ]
        with self._store._transaction() as connection:
            connection.execute(schema.shaken.insert(), found)
            for key in unlike:
                _flag(connection, rows.key_row(run, key))


def _flag(connection: sa.Connection, key: Mapping[str, object]) -> None:
    """Marks the verdict as luck, in both of its rows."""
    whole, short = schema.verdict_bodies, schema.verdicts
    body = json.loads(connection.execute(sa.select(whole.c.body).filter_by(**key)).scalar_one())
    body["flags"] = sorted({*body["flags"], LUCKY})
    for table, values in (
        (whole, {"body": json.dumps(body)}),
        (short, {"recorded": rows.recorded_text(body)}),
    ):
        of_key = sa.and_(*(table.c[name] == value for name, value in key.items()))
        connection.execute(table.update().where(of_key), values)
