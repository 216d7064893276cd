"""The limits of one process; its children inherit them, and each test has its own CPU time."""

import math
import resource
from typing import Any, Dict

FILE_BYTES = 64 << 20
OPEN_FILES = 256
PROCESSES = 64
_PAGE = resource.getpagesize()
_setrlimit, _getrlimit, _getrusage = resource.setrlimit, resource.getrlimit, resource.getrusage


def limit_resources(limits: Dict[str, Any]) -> None:
    """Everything but CPU time. What the zygote had mapped already does not count.

    Processes are counted per user, so only a sandbox, which has a user of its own, limits them.
    """
    with open("/proc/self/statm") as statm:
        fields = statm.read().split()
    allowed = int(limits["memory_mb"]) << 20
    _lower(resource.RLIMIT_DATA, int(fields[5]) * _PAGE + allowed)
    # Shared mappings are no data; the sandbox watches resident memory besides.
    _lower(resource.RLIMIT_AS, int(fields[0]) * _PAGE + 2 * allowed + (512 << 20))
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)


def allow_cpu(seconds: float, spare: float = 0) -> None:
    """Lets this process use so many more seconds; SIGXCPU ends it then, SIGKILL a second later.

    `spare` keeps room for later calls, because a hard limit can only be lowered.
    """
    used = cpu_of(_getrusage(resource.RUSAGE_SELF))
    soft = math.ceil(used + seconds)
    hard = soft + 1 + math.ceil(spare)
    present = _getrlimit(resource.RLIMIT_CPU)[1]
    if present != resource.RLIM_INFINITY:
        hard = min(hard, present)
    _setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))


def cpu_of(usage: Any) -> float:
    return float(usage.ru_utime + usage.ru_stime)


def _lower(which: int, value: int) -> None:
    present = _getrlimit(which)[1]
    if present != resource.RLIM_INFINITY:
        value = min(value, present)
    _setrlimit(which, (value, value))
