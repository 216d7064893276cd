"""A store of an older release is brought up to date, and nothing in it changes by that."""

import json
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from polyassay.model import CandidateKey, Outcome, Program, TestResult, TestStatus, Verdict
from polyassay.store import Store, rows, schema
from polyassay.store.migrations import upgrade
from unit.test_store import HOSTILE, KEY, SUITE, verdict

PLAIN = replace(verdict(), flags=(), sets={}, solved_by=None, measures={}, outcome=Outcome.FAILED)
# Text that looks like the end of a body in which there is nothing to record.
FORGED = replace(
    verdict(),
    reason='"flags": [], "sets": {}, "solved_by": null, "program": {',
    program=Program(', "measures": {}}'),
    tests=(TestResult("t", TestStatus.FAILED, ', "measures": {}}'),),
)


def old_store(url: str, step: str, verdicts: list[Verdict]) -> None:
    """A store as an older release left it, with two runs that the clock has in another order."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        upgrade(connection, to=step)
        suite = {"checksum": SUITE.checksum, "body": rows.suite_body(SUITE)}
        connection.execute(sa.text("INSERT INTO suites VALUES (:checksum, :body)"), suite)
        facts = json.dumps({"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}})
        for run, created in (("rb", "2026-01-02"), ("ra", "2026-01-01")):
            row = {"id": run, "created": created, "facts": facts}
            connection.execute(sa.text("INSERT INTO runs VALUES (:id, :created, :facts)"), row)
        names = (*("run", *rows.KEY), *rows.COLUMNS, "body")
        insert = f"INSERT INTO verdicts ({', '.join(names)}) VALUES (:{', :'.join(names)})"
        made = [figures | body for figures, body in (rows.verdict_rows("ra", v) for v in verdicts)]
        connection.execute(sa.text(insert), made)
    engine.dispose()


def test_verdicts_come_out_as_they_went_in(store_url: str) -> None:
    keys = [CandidateKey("s", f"t{i // 3}", "finch", "en", i % 3) for i in range(9)]
    made = [
        replace(one, candidate=key)
        for key, one in zip(keys, [verdict(), PLAIN, FORGED] * 3, strict=True)
    ]
    old_store(store_url, "0005", made)
    store = Store.open(store_url)
    assert list(store.verdicts("ra")) == made
    key = [schema.verdicts.c[name] for name in rows.KEY]
    with store._transaction() as connection:
        kept = connection.execute(sa.select(schema.verdicts).order_by(*key)).mappings().all()
    for row, one in zip(kept, made, strict=True):
        assert row["recorded"] == rows.verdict_rows("ra", one)[0]["recorded"]
    assert [run.id for run in store.runs()] == ["rb", "ra"]
    assert [run.number for run in store.runs()] == [2, 1]


def test_a_large_store_tells_how_far_it_is(store_url: str) -> None:
    made = [replace(PLAIN, candidate=replace(KEY, sample=i)) for i in range(45_000)]
    old_store(store_url, "0005", made)
    told: list[str] = []
    store = Store.open(store_url, told.append)
    assert told == [
        f"Bringing the store up to date: {done} of 45,000 verdicts."
        for done in ("20,000", "40,000", "45,000")
    ]
    assert store.count_verdicts("ra") == 45_000


@pytest.mark.parametrize("step", ["0001", "0002", "0003", "0004"])
def test_every_older_step_leads_to_the_newest(store_url: str, step: str) -> None:
    old_store(store_url, step, [PLAIN])
    store = Store.open(store_url)
    assert list(store.verdicts("ra")) == [PLAIN]
    with store._transaction() as connection:
        made = sa.inspect(connection)
        for table in schema.metadata.tables.values():
            names = {column["name"] for column in made.get_columns(table.name)}
            assert names == set(table.columns.keys())


def test_migrations_make_the_tables_of_a_new_store(store: Store, store_url: str) -> None:
    """Columns with their types, keys and indexes, as the database itself describes them.

    A server's order of text is left out: only verdicts and their bodies are read in order.
    """

    def told_plainly(part: Any) -> Any:
        return {**part, "type": str(part["type"])} if "type" in part else part

    def made(connection: sa.Connection) -> dict[str, list[str]]:
        found = sa.inspect(connection)
        told = {}
        for name in found.get_table_names():
            told[name] = sorted(
                repr(told_plainly(part)).replace(' COLLATE "C"', "")
                for parts in (
                    found.get_columns(name),
                    [found.get_pk_constraint(name)],
                    found.get_foreign_keys(name),
                    found.get_indexes(name),
                )
                for part in parts
            )
        return told

    with store._transaction() as connection:
        new = made(connection)
        schema.metadata.drop_all(connection)
        upgrade(connection)
        assert made(connection) == new


def test_hostile_text_survives(store_url: str) -> None:
    old_store(store_url, "0005", [verdict()])
    (found,) = Store.open(store_url).verdicts("ra")
    assert (found.output, found.program.source) == (HOSTILE, HOSTILE)
