"""CPU time of a process and of all that it starts, those that are killed in a sandbox included.

Whoever kills a sandbox never gets to know the time of the processes in it: they are the kernel's
to reap. A control group knows it.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


@contextmanager
def metered() -> Iterator[Callable[[], float]]:
    """Gives a function that says how many CPU seconds this process and all below it have used.

    Raises OSError where no control group can be made; root can, and so can whoever has a
    delegated one (`systemd-run --user --scope -p Delegate=yes …`).
    """
    parent = _own_group()
    group = parent / f"bench-{os.getpid()}"  # runners end what is in orphaned polyassay-* groups
    group.mkdir()
    try:
        (group / "cgroup.procs").write_text(str(os.getpid()))
        yield lambda: _used(group)
    finally:
        (parent / "cgroup.procs").write_text(str(os.getpid()))
        _remove(group)


def _remove(group: Path) -> None:
    """What was killed may take a moment to leave."""
    for _ in range(300):
        try:
            group.rmdir()
            return
        except OSError:
            time.sleep(0.1)


def _own_group() -> Path:
    """The group that counts CPU time: of its own in version 1, the one group in version 2."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpuacct" in controllers.split(","):
            return ROOT / controllers / path.lstrip("/")
    return ROOT / path.lstrip("/")


def _used(group: Path) -> float:
    old = group / "cpuacct.usage"
    if old.exists():
        return int(old.read_text()) / 1e9
    figures = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(figures["usage_usec"]) / 1e6
