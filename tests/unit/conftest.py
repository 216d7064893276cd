"""A store, and a run of two tools in it. No unit test starts a process or a JVM."""

import _posixsubprocess
import asyncio
import multiprocessing.process
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import jpype
import pytest

from made import make_run
from made_guest import Clock
from measured import TASKS, answers
from polyassay.report.tasks import writing
from polyassay.store import Store

_OF_OS = ("exec", "fork", "popen", "posix_spawn", "spawn", "system")  # how their names begin
STARTERS: tuple[tuple[Any, str], ...] = (
    *((subprocess, name) for name in ("Popen", "run", "check_output", "check_call", "call")),
    *((os, name) for name in dir(os) if name.startswith(_OF_OS)),
    *((asyncio, f"create_subprocess_{how}") for how in ("exec", "shell")),
    (_posixsubprocess, "fork_exec"),  # which multiprocessing calls as well
    (multiprocessing.process.BaseProcess, "start"),
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
        patch.setattr(writing, "ALONE", sys.maxsize)  # pages that a report writes by itself
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
