"""Whatever a command throws, people see one sentence, a hint and an exit code."""

import sys
import threading
from pathlib import Path

import pytest

import polyassay.cli
from polyassay import __main__ as program


class Odd(BaseException):
    def __str__(self) -> str:
        raise ValueError("has no words")


THROWN = [
    RuntimeError("broken\nin two lines"),
    RecursionError(),
    MemoryError(),
    UnicodeEncodeError("utf-8", "a\ud800", 1, 2, "surrogates not allowed"),
    Odd(),
    KeyError("\x1b[2J"),
    ValueError("postgresql://me:s3cret@host/db"),
    OSError(28, "No space left on device"),
]


@pytest.mark.parametrize("error", THROWN, ids=lambda error: type(error).__name__)
def test_no_command_ends_in_a_traceback(
    error: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(**_: object) -> None:
        raise error

    monkeypatch.chdir(tmp_path)
    (tmp_path / ".polyassay").mkdir()
    monkeypatch.setattr(sys, "argv", ["polyassay", "run", "--store", "x://me:s3cret@host"])
    monkeypatch.setattr(polyassay.cli.polyassay, "main", fails)
    assert program._run() == 2
    told = capsys.readouterr().err
    assert told.startswith("Error: PolyAssay failed by a mistake of its own: ")
    assert told.count("\n") == 2
    assert "Traceback" not in told
    assert not {"\x1b", "\ud800"} & set(told)
    (details,) = (tmp_path / ".polyassay").glob("error-*.txt")
    assert str(details) in told
    assert "Traceback" in details.read_text()
    assert "s3cret" not in told + details.read_text()


def test_a_thread_that_fails_says_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(threading, "excepthook", program._thread_failed)
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    told = capsys.readouterr().err
    assert "ZeroDivisionError: by nothing" in told
    assert "Traceback" not in told


def test_a_broken_installation_is_told_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "polyassay.cli", None)
    assert program._run() == 2
    assert "Traceback" not in capsys.readouterr().err
