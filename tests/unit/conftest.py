"""A store, and a run of two tools in it. No unit test starts a process or a JVM."""

import os
import subprocess
from collections.abc import Iterator
from typing import Any, NoReturn

import jpype
import pytest

from made import make_run
from made_guest import Clock
from measured import TASKS, answers
from polyassay.store import Store

STARTERS = (
    *((subprocess, name) for name in ("Popen", "run", "check_output", "check_call", "call")),
    *((os, name) for name in ("fork", "forkpty", "system", "popen", "posix_spawn", "execv")),
    (jpype, "startJVM"),
)


@pytest.fixture(autouse=True, scope="module")
def _no_processes() -> Iterator[None]:
    """A test that needs a process is slow and depends on the machine: it is an end-to-end test."""

    def refuse(name: str) -> Any:
        def started(*_: Any, **__: Any) -> NoReturn:
            pytest.fail(f"a unit test called {name}; move it to tests/end_to_end")

        return started

    with pytest.MonkeyPatch.context() as patch:
        for module, name in STARTERS:
            patch.setattr(module, name, refuse(f"{module.__name__}.{name}"))
        yield


@pytest.fixture
def two_tools(store: Store) -> str:
    return make_run(store, TASKS, answers("finch", range(10)) + answers("heron", range(30))).id


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in ("harness.allowance", "sandbox.patience"):
        monkeypatch.setattr(f"polyassay.{module}.time", made)
        monkeypatch.setattr(f"polyassay.{module}.working_seconds", lambda: 0.0)
    return made
