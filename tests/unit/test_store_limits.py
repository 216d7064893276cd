"""What one database takes and another refuses is refused or cleaned by us, alike."""

import json
import math
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey
from polyassay.store import Store, schema
from polyassay.store.numbers import unused_id
from unit.test_store import KEY, SUITE, started, verdict

PROVENANCE = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}


def test_the_longest_names_are_kept(store: Store) -> None:
    key = CandidateKey("求" * 200, "和" * 200, "\ud7ff" * 200, "p" * 20, 2**31 - 1)
    run = store.start_run([SUITE], [Candidate(key, "x")], PROVENANCE).id
    store.save_verdicts(run, [verdict(key)])
    assert store.judged_keys(run) == {key}
    assert [v.candidate for v in store.verdicts(run, key.task, key.tool)] == [key]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"task": "a\0b"}, "NUL"),
        ({"tool": "half \ud800"}, "half a character"),
        ({"suite": "s" * 201}, "200 characters"),
        ({"task": "\U0001f40d" * 160}, "200 characters"),
        ({"prompt_language": "p" * 21}, "20 characters"),
        ({"sample": 2**31}, "larger than a store takes"),
        ({"sample": 10**4000}, "larger than a store takes"),
    ],
)
def test_names_and_numbers_that_no_store_takes(
    store: Store, changes: dict[str, Any], problem: str
) -> None:
    candidate = Candidate(replace(KEY, **changes), "x")
    with pytest.raises(PolyAssayError, match=problem):
        store.start_run([SUITE], [candidate], PROVENANCE)
    assert store.runs() == []
    run = started(store)
    with pytest.raises(PolyAssayError, match=problem):
        store.save_verdicts(run, [verdict(candidate.key)])
    assert store.count_verdicts(run) == 0


@pytest.mark.parametrize("strange", [math.nan, math.inf, -math.inf])
def test_a_time_that_is_no_number_is_not_known(store: Store, strange: float) -> None:
    run = started(store)
    store.save_verdicts(run, [replace(verdict(), seconds=strange, cpu_seconds=strange)])
    (found,) = store.verdicts(run)
    assert (found.seconds, found.cpu_seconds) == (0.0, 0.0)


def test_a_name_that_nothing_can_have_is_told(store: Store) -> None:
    run = started(store)
    with pytest.raises(PolyAssayError, match="half a character"):
        list(store.verdicts(run, task="\udcff"))


def test_verdicts_come_in_the_order_of_their_characters(store: Store) -> None:
    run = started(store)
    names = ["a", "B", "_", "10", "9", "é", "Z", "a b", "a-b", "ab", "求", "\U0001f40d", "\uffee"]
    keys = [replace(KEY, task=name, sample=i) for i, name in enumerate(names)]
    store.save_verdicts(run, [verdict(key) for key in keys])
    assert [v.candidate.task for v in store.verdicts(run)] == sorted(names)


def test_ids_do_not_run_out_and_labels_count(store: Store) -> None:
    taken = [f"r7{number:02x}" for number in range(256)]  # all that run 7 could have
    made = [
        {"id": f"x{name}" if i % 2 else name, "created": "", "number": 10 + i}
        | {"provenance": json.dumps({"label": name})}
        for i, name in enumerate(taken)
    ]
    with store._transaction() as connection:
        assert unused_id(connection, 7) in taken
        connection.execute(schema.runs.insert(), made)
        assert len(unused_id(connection, 7)) == len("r7") + 4


def test_latest_goes_by_number_and_not_by_the_clock(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = started(store)
    monkeypatch.setattr("polyassay.store.datetime", _Yesterday)
    second = started(store)
    assert store.run("latest").id == second
    newer, older = store.runs()
    assert (newer.id, older.id) == (second, first)
    assert newer.created < older.created and newer.number > older.number


class _Yesterday(datetime):
    """A clock that was set back."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return datetime.now(tz) - timedelta(days=1)
