"""A store, and a run of two tools in it."""

from pathlib import Path

import pytest

from made import make_run
from measured import TASKS, answers
from polyassay.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}")


@pytest.fixture
def two_tools(store: Store) -> str:
    return make_run(store, TASKS, answers("finch", range(10)) + answers("heron", range(30))).id
