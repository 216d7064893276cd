"""The store keeps what it was given, and says in a sentence what is wrong with it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Program,
    SetScore,
    SolvedBy,
    Style,
    Suite,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)
from polyassay.store import Store, schema
from polyassay.store.migrations import upgrade

TASK = Task(
    "t1",
    "s",
    Language.PYTHON,
    Style.SETS,
    {"en": "sum", "zh": "求和"},
    tests=(Test("a/test_0", "f(1) == 1"),),
    limits=Limits(seconds=2),
    tags=("closed",),
)
SUITE = Suite("s", "1.0", "c" * 64, (TASK,), libraries={"current": ("numpy==2",)})
KEY = CandidateKey("s", "t1", "finch", "en", 0)
HOSTILE = "x = '\0 \ud800 \U0001f40d'"


def verdict(key: CandidateKey = KEY, outcome: Outcome = Outcome.PASSED) -> Verdict:
    return Verdict(
        key,
        outcome,
        1,
        1,
        (TestResult("a/test_0", TestStatus.PASSED, HOSTILE, 0.5),),
        Judging.TOGETHER,
        flags=("reused",),
        sets={"a": SetScore(1, 1)},
        solved_by=SolvedBy("f", "a"),
        program=Program(HOSTILE, 2, HOSTILE, ("from a fenced block",)),
        output=HOSTILE,
        measures={"f1": 0.5},
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.at(tmp_path / ".polyassay")


def started(store: Store) -> str:
    candidate = Candidate(KEY, HOSTILE, AnswerForm.COMPLETION)
    provenance = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}
    return store.start_run([SUITE], [candidate], provenance).id


def test_a_new_run_is_judged_by_the_rules_of_its_day(store: Store) -> None:
    started(store)
    newer = replace(SUITE, tasks=(replace(TASK, together_because="newer rules"),))
    store.start_run([newer], [], {"suites": {"s": {"checksum": SUITE.checksum}}})
    assert store.suites(store.run("latest")) == {"s": newer}


def test_everything_comes_back_as_it_was(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict()])
    assert store.suites(store.run("latest")) == {"s": SUITE}
    assert list(store.candidates(run)) == [Candidate(KEY, HOSTILE, AnswerForm.COMPLETION)]
    assert store.candidate(run, KEY).answer == HOSTILE
    assert list(store.verdicts(run)) == [verdict()]
    assert store.judged_keys(run) == {KEY}


def test_a_candidate_has_one_verdict(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict()])
    with pytest.raises(sa.exc.IntegrityError):
        store.save_verdicts(run, [verdict(outcome=Outcome.FAILED)])
    assert [v.outcome for v in store.verdicts(run)] == [Outcome.PASSED]


def test_verdicts_can_be_asked_for_by_task_and_tool(store: Store) -> None:
    run = started(store)
    other = CandidateKey("s", "t2", "heron", "en", 0)
    store.save_verdicts(run, [verdict(), verdict(other)])
    assert [v.candidate for v in store.verdicts(run, task="t2")] == [other]
    assert [v.candidate for v in store.verdicts(run, tool="finch")] == [KEY]


def test_our_own_errors_can_be_tried_again(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict(outcome=Outcome.HARNESS_ERROR)])
    store.forget_harness_errors(run)
    assert store.judged_keys(run) == set()


def test_latest_is_the_newest_run(store: Store) -> None:
    first, second = started(store), started(store)
    assert store.run("latest").id == second
    assert store.run(first).id == first
    with pytest.raises(PolyAssayError, match='no run "nope"'):
        store.run("nope")


def test_migrations_make_the_tables_of_a_new_store(store: Store, tmp_path: Path) -> None:
    migrated = sa.create_engine(f"sqlite:///{tmp_path / 'migrated.sqlite'}")
    with migrated.begin() as connection:
        upgrade(connection)

    def made(engine: sa.Engine) -> dict[str, set[str]]:
        """What each table and index is made of, in whatever order."""
        with engine.connect() as connection:
            rows = connection.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE sql > ''"))
            parts = {name: re.split(r",?\s*\n\s*|, (?=\w+ )", sql) for name, sql in rows}
            versions = connection.execute(sa.text("SELECT version_num FROM alembic_version"))
            return {name: set(found) for name, found in parts.items()} | {
                "": set(versions.scalars())
            }

    assert made(store._engine) == made(migrated)


def test_a_store_of_a_newer_release_is_left_alone(store: Store, tmp_path: Path) -> None:
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(PolyAssayError, match="newer PolyAssay"):
        Store.at(tmp_path / ".polyassay")


def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(PolyAssayError, match="damaged"):
        Store.at(tmp_path)


def test_an_unwritable_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PolyAssayError, match="cannot be made"):
        Store.at(tmp_path / "file" / "below")


def test_a_full_disk_is_told_and_loses_nothing(store: Store, tmp_path: Path) -> None:
    run = started(store)
    with store._engine.connect() as connection:
        pages = connection.execute(sa.text("PRAGMA page_count")).scalar()
    limit = f"PRAGMA max_page_count={pages}"
    sa.event.listen(store._engine, "connect", lambda c, _: c.execute(limit))
    store.close()  # the limit holds for new connections
    big = [verdict(CandidateKey("s", f"t{i}", "finch", "en", 0)) for i in range(2000)]
    with pytest.raises(PolyAssayError, match="disk is full"):
        store.save_verdicts(run, big)
    assert list(store.verdicts(run)) == []
    assert len(list(store.candidates(run))) == 1


def test_many_read_candidates_at_once_while_verdicts_are_saved(store: Store) -> None:
    keys = [CandidateKey("s", "t1", "finch", "en", sample) for sample in range(1100)]
    candidates = [Candidate(key, "x", AnswerForm.COMPLETION) for key in keys]
    provenance = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}
    run = store.start_run([SUITE], candidates, provenance).id
    readers = [store.candidates(run, "s", ["t1"]) for _ in range(20)]
    assert [next(reader) for reader in readers] == candidates[:1] * 20
    store.save_verdicts(run, [verdict()])
    assert list(readers[0]) == candidates[1:]  # of three pages
    assert store.answered(run) == {("s", "t1"): 1100}


def test_a_bad_address_is_told() -> None:
    with pytest.raises(PolyAssayError, match="not a store's address"):
        Store.open("nonsense")


def test_a_store_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    store = Store.at(tmp_path)
    run = started(store)
    with store._engine.begin() as connection:
        first = {"alembic_version", "suites", "runs", "candidates", "verdicts"}
        for table in reversed(schema.metadata.sorted_tables):
            if table.name not in first:
                connection.execute(sa.text(f"DROP TABLE {table.name}"))
        connection.execute(sa.text("ALTER TABLE candidates DROP COLUMN origin"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    again = Store.at(tmp_path)
    assert len(list(again.candidates(run))) == 1
    with again._engine.connect() as connection:
        made = sa.inspect(connection)
        for table in schema.metadata.tables.values():
            names = {column["name"] for column in made.get_columns(table.name)}
            assert names == set(table.columns.keys())
            indexes = {index["name"] for index in made.get_indexes(table.name)}
            assert indexes == {index.name for index in table.indexes}
