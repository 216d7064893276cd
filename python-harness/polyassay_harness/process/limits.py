"""The limits of one process; its children inherit them, and each test has its own CPU time."""

import math
import os
import resource
import time
from typing import Any, Dict, List, Tuple

from polyassay_harness.wire.messages import Limits

FILE_BYTES = 64 << 20
OPEN_FILES = 256
PROCESSES = 64
_TOO_MUCH = 1 << 40  # whole numbers of the kernel have room for it, times tests or bytes
_PAGE = resource.getpagesize()
_setrlimit, _getrlimit, _used = resource.setrlimit, resource.getrlimit, time.process_time
_ceil, _getpid = math.ceil, os.getpid
_found: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}


def unusable(limits: Limits) -> str:
    """Why no process can be given these, or nothing: asked before there is a candidate to blame."""
    for name, value in limits.items():
        if not 0 < value < _TOO_MUCH:  # type: ignore[operator]  # all of them are numbers
            return f"no process can be given {value} as its {name}"
    return ""


def rlimits(limits: Limits) -> List[Tuple[int, int]]:
    """Everything but CPU time, for a child that is to be forked: what is mapped now is not its own.

    Processes are counted per user, so only a sandbox, which has a user of its own, limits them.
    Looked up once by each process.
    """
    key = _getpid(), limits["memory_mb"]
    if key not in _found:
        _found[key] = _look_up(int(limits["memory_mb"]) << 20)
    return _found[key]


def _look_up(allowed: int) -> List[Tuple[int, int]]:
    fields = _statm()
    return [
        (which, _at_most(which, value))
        for which, value in (
            (resource.RLIMIT_DATA, int(fields[5]) * _PAGE + allowed),
            # Shared mappings are no data; the sandbox watches resident memory besides.
            (resource.RLIMIT_AS, int(fields[0]) * _PAGE + 2 * allowed + (512 << 20)),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, FILE_BYTES),
            (resource.RLIMIT_NOFILE, OPEN_FILES),
        )
    ]


def data_bytes() -> int:
    """How much of its own memory this process has mapped."""
    return int(_statm()[5]) * _PAGE


def _statm() -> List[bytes]:
    statm = os.open("/proc/self/statm", os.O_RDONLY)
    fields = os.read(statm, 200).split()
    os.close(statm)
    return fields


def set_rlimits(found: List[Tuple[int, int]]) -> None:
    for which, value in found:
        _setrlimit(which, (value, value))


def allow_cpu(seconds: float, spare: float = 0) -> None:
    """Lets this process use so many more seconds; SIGXCPU ends it then, SIGKILL a second later.

    `spare` keeps room for later calls, because a hard limit can only be lowered.
    """
    soft = _ceil(_used() + seconds)
    hard = soft + 1 + _ceil(spare)
    present = _getrlimit(resource.RLIMIT_CPU)[1]
    if present != resource.RLIM_INFINITY:
        hard = min(hard, present)
    _setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))


def cpu_of(usage: Any) -> float:
    return float(usage.ru_utime + usage.ru_stime)


def _at_most(which: int, value: int) -> int:
    present = _getrlimit(which)[1]
    return value if present == resource.RLIM_INFINITY else min(value, present)
