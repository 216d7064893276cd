"""A guest's resource limits and environment, which every launcher sets alike."""

from polyassay.sandbox import SCRATCH, SCRATCH_VARIABLE, Box, BoxLimits


def data_bytes(limits: BoxLimits) -> int:
    """Private memory that a process may ask for: a multiple of what it may use.

    It stops one huge request at once, where the watch would come late, and leaves room for stacks
    and reservations.
    """
    return limits.memory_mb * 8 << 20


def rlimits(prlimit: str, limits: BoxLimits) -> list[str]:
    """The command that starts another one under the limits; only ever lowers them."""
    argv = [prlimit, "--core=0:0"]
    for name, value in (
        ("nproc", limits.processes),
        ("nofile", limits.open_files),
        ("fsize", limits.disk_mb << 20),
        ("data", data_bytes(limits)),
    ):
        argv.append(f"--{name}={value}:{value}")
    return argv


def environment(box: Box, scratch: str = SCRATCH, temporary: str = "/tmp") -> dict[str, str]:  # noqa: S108
    """All variables of a guest; nothing of the host's."""
    shared = {"PATH": "/usr/bin:/bin", "HOME": scratch, "TMPDIR": temporary, "LANG": "C.UTF-8"}
    shared[SCRATCH_VARIABLE] = scratch
    return shared | dict(box.environment)
