"""Measured values of a run's answers, kept with the version of the code that measured them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from polyassay.model import CandidateKey
from polyassay.store import Store, rows, schema


@dataclass(frozen=True, slots=True)
class Measured:
    key: CandidateKey
    body: Mapping[str, Any]  # values, counts, notes


class MeasuredAnswers:
    """The part of a store that holds measures; all is durable when a method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, run: str, rules: str, version: str) -> set[CandidateKey]:
        """The answers that need not be measured again."""
        table = schema.measured
        columns = (table.c[name] for name in rows.KEY)
        query = sa.select(*columns).filter_by(run=run, rules=rules, version=version)
        with self._store._transaction() as connection:
            return {rows.key_of(row) for row in connection.execute(query).mappings()}

    def save(self, run: str, rules: str, version: str, found: Sequence[Measured]) -> None:
        """Replaces what another version had measured."""
        table = schema.measured
        kept = [
            rows.key_row(run, one.key)
            | {"rules": rules, "version": version, "body": json.dumps(one.body)}
            for one in found
        ]
        old = sa.and_(
            table.c.run == run,
            table.c.rules == rules,
            *(table.c[name] == sa.bindparam(f"old_{name}") for name in rows.KEY),
        )
        keys = [{f"old_{name}": row[name] for name in rows.KEY} for row in kept]
        with self._store._transaction() as connection:
            if kept:
                connection.execute(table.delete().where(old), keys)
                connection.execute(table.insert(), kept)

    def all(self, run: str, rules: str) -> Iterator[Measured]:
        """In the order of suite, task, tool, prompt language and sample."""
        table = schema.measured
        query = sa.select(table).filter_by(run=run, rules=rules)
        for row in self._store._pages(query, [table.c[name] for name in rows.KEY]):
            yield Measured(rows.key_of(row), json.loads(row["body"]))

    def rules(self, run: str) -> list[str]:
        """By which rules anything of this run was measured."""
        query = sa.select(schema.measured.c.rules).filter_by(run=run).distinct()
        with self._store._transaction() as connection:
            return sorted(connection.execute(query).scalars())
