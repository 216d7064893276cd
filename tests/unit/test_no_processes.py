"""The guard of tests/unit/conftest.py holds, whatever starts a process."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

TRUE = (sys.executable, "-c", "")


def _in_a_pool() -> None:
    with ProcessPoolExecutor(1) as pool:
        pool.submit(int)


STARTS: dict[str, Callable[[], Any]] = {
    "run": lambda: subprocess.run(TRUE, check=True),
    "system": lambda: os.system("true"),
    "execve": lambda: os.execve(sys.executable, TRUE, {}),
    "execvp": lambda: os.execvp(sys.executable, TRUE),
    "spawnv": lambda: os.spawnv(os.P_WAIT, sys.executable, TRUE),
    "posix_spawnp": lambda: os.posix_spawnp(sys.executable, TRUE, {}),
    "asyncio": lambda: asyncio.run(asyncio.create_subprocess_exec(*TRUE)),
    "multiprocessing": lambda: multiprocessing.get_context("spawn").Process(target=int).start(),
    "a pool": _in_a_pool,
}


@pytest.mark.parametrize("how", STARTS)
def test_no_unit_test_starts_a_process(how: str) -> None:
    with pytest.raises(pytest.fail.Exception, match="move it to tests/end_to_end"):
        STARTS[how]()
