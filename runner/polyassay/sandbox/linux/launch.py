"""Starts programs with pipes, so that they die with this process."""

import os
import shutil
import subprocess
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor

from polyassay.sandbox.guest import Pipes

# The kernel's parent-death signal comes when the thread that forked ends, not when its process
# does. So one thread, which lives as long as the process, starts everything.
_starter = ThreadPoolExecutor(1, thread_name_prefix="starter")


# Turns the randomisation of addresses off for what it starts, and for all that this starts.
_SETARCH = shutil.which("setarch")
FIXES_LAYOUT = _SETARCH is not None
UMASK = 0o022  # whatever the user's is


def start(
    argv: Sequence[str], pass_fds: Collection[int] = (), *, fixed_layout: bool = True
) -> tuple[int, Pipes]:
    """Starts argv, with an empty environment and no other descriptors; gives its process id."""
    if fixed_layout and _SETARCH:
        argv = [_SETARCH, "--addr-no-randomize", *argv]
    return _starter.submit(_start, argv, pass_fds).result()


def _start(argv: Sequence[str], pass_fds: Collection[int]) -> tuple[int, Pipes]:
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
    # Whoever kills it waits for it as well, with os.wait4, for the times it used.
    process.returncode = 0
    return process.pid, Pipes(inward, outward, errors)


def _forget() -> None:
    global _starter
    _starter = ThreadPoolExecutor(1, thread_name_prefix="starter")


os.register_at_fork(after_in_child=_forget)
