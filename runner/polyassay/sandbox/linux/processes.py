"""Reads from /proc what a process and all its descendants use."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_FEW_FILES = 16
# What a unix socket that nobody reads from holds at most: the usual size of its buffer, which the
# filter keeps candidates from changing, and the kernel's own share.
BYTES_A_SOCKET = 256 << 10


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    cpu_seconds: float = 0.0
    memory_bytes: int = 0
    processes: int = 0


def family(pid: int) -> Iterator[int]:
    """The process and its descendants, as far as they can be seen while they come and go."""
    waiting = [pid]
    while waiting:
        current = waiting.pop()
        yield current
        try:
            # A child belongs to the thread that forked it.
            for thread in os.listdir(f"/proc/{current}/task"):  # noqa: PTH208 - often
                children = _read(f"/proc/{current}/task/{thread}/children")
                waiting.extend(map(int, children.split()))
        except OSError:
            continue


def usage(pid: int) -> ProcessUsage:
    """CPU time (with that of descendants already gone), resident memory and number of processes."""
    ticks = pages = count = 0
    members = list(family(pid))
    for member in members:
        try:
            ticks += _ticks(member)
            pages += int(_read(f"/proc/{member}/statm").split()[1])
        except (OSError, IndexError):
            continue
        count += 1
    return ProcessUsage(ticks / _TICKS, pages * _PAGE, count)


def cpu_seconds(pid: int) -> float:
    """What usage() has of it."""
    ticks = 0
    for member in family(pid):
        with suppress(OSError, IndexError):
            ticks += _ticks(member)
    return ticks / _TICKS


def shared_out_memory(pid: int) -> int:
    """Resident bytes in which a page that several processes share counts once.

    Dearer than usage(), and needed only where that sum passes a limit: the forks of a zygote
    share most of their pages.
    """
    total = 0
    for member in family(pid):
        try:
            for line in _read(f"/proc/{member}/smaps_rollup").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) << 10
        except OSError:
            continue
    return total


def sockets(pid: int) -> int:
    """Sockets that the process and its descendants hold, if they hold many files at all.

    One that several processes share counts once. Few are not worth the look.
    """
    found: set[str] = set()
    for member in family(pid):
        folder = f"/proc/{member}/fd"
        try:
            descriptors = os.listdir(folder)  # noqa: PTH208 - often
        except OSError:
            continue
        for name in descriptors if len(descriptors) > _FEW_FILES else ():
            with suppress(OSError):
                found.add(os.readlink(f"{folder}/{name}"))  # noqa: PTH115 - often
    return sum(link.startswith("socket:") for link in found)


def start_time(pid: int) -> int | None:
    """When the process started, in ticks since boot, which tells it from a later namesake."""
    try:
        return int(_stat(pid)[19])
    except OSError:
        return None


def stands_still(pid: int) -> bool:
    """Whether the process is stopped, or has ended."""
    try:
        return _stat(pid)[0] in "TtZX"
    except OSError:
        return True


def _ticks(pid: int) -> int:
    return sum(map(int, _stat(pid)[11:15]))  # utime, stime, cutime, cstime


def _stat(pid: int) -> list[str]:
    # The name, in brackets, may hold anything; the rest is numbers.
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def _read(path: str) -> str:
    # Much cheaper than open(), and this runs many times a second.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 16).decode("utf-8", "replace")
    finally:
        os.close(descriptor)
