"""Starts programs with pipes, so that they die with this process."""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache

from polyassay.sandbox import NotStarted
from polyassay.sandbox.linux.processes import family, stands_still


def starter() -> ThreadPoolExecutor:
    """The one thread that starts everything, and lives as long as this process.

    The kernel's parent-death signal comes when the thread that forked ends, not when its process
    does. What it starts holds no signal back, whatever those do who started this process.
    """
    return ThreadPoolExecutor(
        1, "starter", initializer=signal.pthread_sigmask, initargs=(signal.SIG_SETMASK, ())
    )


_starter = starter()

# Turns the randomisation of addresses off for what it starts, and for all that this starts.
_SETARCH = shutil.which("setarch")
FIXES_LAYOUT = _SETARCH is not None
UMASK = 0o022  # whatever the user's is
_ENV = shutil.which("env")
_RESTORED = (signal.SIGPIPE, signal.SIGXFSZ)  # by Popen
# Launchers that still set up. The second process of bwrap waits for the first one before it asks
# the kernel to die with it: if the first one died meanwhile, it would wait for ever.
_setting_up: set[int] = set()
_gate = threading.Lock()  # held while a launcher is started, or all of them are ended
_closed = False  # this process is ending: nothing is started any more
_STOP_SECONDS = 5


class Pipes:
    """The three standard streams of a process started with pipes."""

    def __init__(self, stdin: int, stdout: int, stderr: int) -> None:
        self.inward = stdin
        self.outward = [stdout, stderr]
        self._stdout = stdout
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        self._all = (stdin, stdout, stderr)

    def parted(self, descriptor: int, data: bytes) -> tuple[bytes, bytes]:
        if not data:
            self.outward.remove(descriptor)
        return (data, b"") if descriptor == self._stdout else (b"", data)

    @property
    def talking(self) -> bool:
        return self._stdout in self.outward

    def close(self) -> None:
        for descriptor in self._all:
            os.close(descriptor)


def start(
    argv: Sequence[str], pass_fds: Collection[int] = (), *, fixed_layout: bool = True
) -> tuple[int, Pipes]:
    """Starts argv, with an empty environment and no other descriptors; gives its process id."""
    if fixed_layout and _SETARCH:
        argv = [_SETARCH, "--addr-no-randomize", *argv]
    if _ENV and _ignores_any() and _can_reset():
        argv = [_ENV, "--default-signal", *argv]
    return _starter.submit(_start, argv, pass_fds).result()


def _ignores_any() -> bool:
    """Whether this process ignores signals, as whatever it starts would, answers included.

    It may have been started so: by nohup (HUP), or in the background of a script (INT and QUIT).
    """
    others = [one for one in signal.Signals if one not in _RESTORED]
    return any(signal.getsignal(one) is signal.SIG_IGN for one in others)


@cache
def _can_reset() -> bool:
    """Whether there is an `env` that can, as coreutils' can since 2019."""
    command = [_ENV or "", "--default-signal", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _start(argv: Sequence[str], pass_fds: Collection[int]) -> tuple[int, Pipes]:
    with _gate:
        if _closed:
            raise NotStarted("this process is ending")
        return _start_now(argv, pass_fds)


def _start_now(argv: Sequence[str], pass_fds: Collection[int]) -> tuple[int, Pipes]:
    stdin, inward = os.pipe()
    outward, stdout = os.pipe()
    errors, stderr = os.pipe()
    try:
        process = subprocess.Popen(
            argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={},
            cwd="/",
            pass_fds=tuple(pass_fds),
            start_new_session=True,
            umask=UMASK,
        )
    except BaseException:
        for descriptor in (inward, outward, errors):
            os.close(descriptor)
        raise
    finally:
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
    _setting_up.add(process.pid)
    # The code that kills it also waits for it, with os.wait4, to learn the times that it used.
    process.returncode = 0
    return process.pid, Pipes(inward, outward, errors)


def is_set_up(launcher: int) -> None:
    """Notes that a launcher has set up: from here on, all that it started dies with it."""
    with _gate:
        _setting_up.discard(launcher)


def kill_family(launcher: int) -> None:
    """Ends a launcher and what it has started, which may wait for it.

    Each process is stopped before its children are listed, so that none is born unseen.
    """
    stopped = []
    for pid in family(launcher):
        _stop(pid)
        stopped.append(pid)
    for pid in reversed(stopped):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _stop(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
    deadline = time.monotonic() + _STOP_SECONDS
    while not stands_still(pid) and time.monotonic() < deadline:
        time.sleep(0.001)


def end_all_setting_up() -> None:
    """Ends every launcher that still sets up; nothing can be started after that."""
    global _closed
    with _gate:
        _closed = True
        for launcher in tuple(_setting_up):
            kill_family(launcher)


def _forget() -> None:
    """After a fork they are the parent's."""
    global _starter, _gate, _closed
    _starter = ThreadPoolExecutor(1, thread_name_prefix="starter")
    _gate = threading.Lock()
    _closed = False
    _setting_up.clear()


# An interpreter that ends by itself ends the starter first, and launchers with it.
threading._register_atexit(end_all_setting_up)  # type: ignore[attr-defined]
os.register_at_fork(after_in_child=_forget)
