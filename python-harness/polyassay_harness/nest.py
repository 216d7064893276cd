"""Gives a child namespaces of its own, and takes every capability from it.

The zygote holds one capability, CAP_SYS_ADMIN, inside the user namespace of its sandbox. It may
make namespaces with it, and mount in those; outside of the sandbox it is worth nothing.
"""

import ctypes
import os
import traceback

_libc = ctypes.CDLL(None, use_errno=True)

_NEW_MOUNTS, _NEW_IPC, _NEW_PIDS, _NEW_NETWORK = 0x20000, 0x8000000, 0x20000000, 0x40000000
_NOSUID_NODEV = 2 | 4
_BIND, _RECURSIVE_PRIVATE = 4096, 16384 | (1 << 18)
_NO_NEW_PRIVILEGES = 38
_CAPABILITY_VERSION = 0x20080522
_FILES_PER_MB = 64
_SHARED_PLACES = (("tmp", "/tmp"), ("shm", "/dev/shm"))  # noqa: S108


class Nest:
    """Forks children into process-id namespaces of their own."""

    def __init__(self) -> None:
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def fork(self, scratch: str, disk_mb: int) -> int:
        """As os.fork; the child is the first process of its namespaces and has fresh folders."""
        _check(_libc.unshare(_NEW_PIDS), "unshare")
        pid = os.fork()
        if pid == 0:
            try:
                os.close(self._own)
                _settle(scratch, disk_mb)
            except BaseException:
                traceback.print_exc()
                os._exit(1)  # lest a half confined child goes on as the zygote
            return 0
        # Or the next child would be born into the same namespace, which ends with this one.
        _check(_libc.setns(self._own, _NEW_PIDS), "setns")
        return pid


def _settle(scratch: str, disk_mb: int) -> None:
    _check(_libc.unshare(_NEW_MOUNTS | _NEW_NETWORK | _NEW_IPC), "unshare")
    _mount("none", "/", "", _RECURSIVE_PRIVATE)
    size = f"size={disk_mb}m,nr_inodes={disk_mb * _FILES_PER_MB},mode=700"
    _mount("tmpfs", scratch, "tmpfs", _NOSUID_NODEV, size)
    for name, place in _SHARED_PLACES:
        folder = os.path.join(scratch, "." + name)
        os.mkdir(folder, 0o700)
        _mount(folder, place, "", _BIND)
    _mount("proc", "/proc", "proc", _NOSUID_NODEV)
    drop_capabilities()
    os.chdir(scratch)


def drop_capabilities() -> None:
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    texts = [text.encode() or None for text in (source, target, kind)]
    result = _libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None)
    _check(result, f"mounting {target}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
