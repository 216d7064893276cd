"""tools/kills counts a kill only where it has hit a process that had work in hand."""

import importlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
prey = importlib.import_module("killing.prey")

MARK = "a helper of test_kills_at_work"
KIND = prey.Kind("helper", MARK, prey.is_not_asking, "python")
READY = "import os\nos.write(1, b'.')\n"
BUSY = READY + "while True: pass"
ASKING = READY + "while os.read(0, 1): os.write(1, b'!')"


@contextmanager
def helper(program: str) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(
        [sys.executable, "-c", program, MARK], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.read(1) == b"."
        yield process
        process.kill()


def kill_one() -> str:
    killed = KIND.kill_one(os.getpid(), random.Random(1))
    return killed.work if killed else ""


def test_one_that_works_is_killed() -> None:
    with helper(BUSY) as process:
        assert "in system call" in kill_one()
        assert process.wait(10) == -signal.SIGKILL


def test_one_that_waits_for_its_next_request_goes_on() -> None:
    with helper(ASKING) as process:
        _await_question(process.pid)
        assert not kill_one()
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"?")
        process.stdin.flush()
        assert process.stdout.read(1) == b"!"


def test_one_that_has_ended_is_no_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    with helper(BUSY) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it stays as a zombie
        monkeypatch.setattr(prey.Kind, "_candidates", lambda _kind, _runner: [process.pid])
        assert not kill_one()


def _await_question(pid: int) -> None:
    deadline = time.monotonic() + 10
    while prey.is_not_asking(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
