"""What can only happen to a store that is a file, and addresses that lead to none."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey
from polyassay.store import Store
from polyassay.store.locks import lock_file
from unit.test_store import started, verdict


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
    with store._database.engine.connect() as connection:
        pages = connection.execute(sa.text("PRAGMA page_count")).scalar()
    limit = f"PRAGMA max_page_count={pages}"
    sa.event.listen(store._database.engine, "connect", lambda c, _: c.execute(limit))
    store.close()  # the limit holds for new connections
    big = [verdict(CandidateKey("s", f"t{i}", "finch", "en", 0)) for i in range(2000)]
    with pytest.raises(PolyAssayError, match="disk is full"):
        store.save_verdicts(run, big)
    assert list(store.verdicts(run)) == []
    assert len(list(store.candidates(run))) == 1


def test_a_bad_address_is_told() -> None:
    with pytest.raises(PolyAssayError, match="not a store's address"):
        Store.open("nonsense")


def test_the_second_process_hears_which_one_executes_a_run(tmp_path: Path) -> None:
    with lock_file(tmp_path, "r1"):
        with (
            pytest.raises(PolyAssayError, match=r"Run r1 is being executed by process \d+ on"),
            lock_file(tmp_path, "r1"),
        ):
            pass
        with lock_file(tmp_path, "r2"):
            pass
    with lock_file(tmp_path, "r1"):
        pass
