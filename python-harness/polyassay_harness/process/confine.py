"""Gives a zygote's forked child namespaces, limits and a filter of its own.

The zygote runs in a box that nests, and so holds CAP_SYS_ADMIN inside its own user namespace and
nothing outside of it. It prepares once, and for each candidate does

    pid = confinement.fork()
    if pid == 0:
        confinement.enter()
        ...candidate code...

In the child, from then on: process 1 of a process namespace (so that its death ends all of its
descendants), no network but loopback, empty and sized /scratch, /tmp and /dev/shm, its own count
of processes, no capability, and no way to get one (nor System V objects or another host name,
which the zygote's own filter forbids). The order matters: mounts need the zygote's
capability, and the user namespace, which is taken last, is the one to lose it in.

Most of what a fork costs are the pages that the child touches, each of which the kernel copies.
So whatever can be made ready is made in the zygote, and the child only calls.
"""

import ctypes
import fcntl
import os
import resource
import socket
import struct
from typing import List, NamedTuple, Tuple

from polyassay_harness.process.forks import reseed, single_fork

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND = 2, 4, 8, 4096
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_SECUREBITS = 4, 22, 28
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
# Of SECBIT_…: noroot, no_setuid_fixup and no_cap_ambient_raise, and all of them locked.
NO_PRIVILEGED_USER = 0b11101111
SECCOMP_MODE_FILTER = 2
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
CAPABILITY_VERSION_3 = 0x20080522

SCRATCH = "/scratch"

_libc = ctypes.CDLL(None, use_errno=True)
# Looked up once: to look up a function costs a child more than to call it.
_unshare, _setns, _mount = _libc.unshare, _libc.setns, _libc.mount
_prctl_of, _capset = _libc.prctl, _libc.capset
_mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong]
_mount.argtypes += [ctypes.c_char_p]
_prctl_of.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_CAPABILITY_HEADER, _NO_CAPABILITIES = struct.pack("Ii", CAPABILITY_VERSION_3, 0), bytes(24)


class ChildLimits(NamedTuple):
    """The limits of one candidate; the zygote's own limits hold above them."""

    seccomp: bytes  # a BPF program, made by the runner: refuses what the zygote's lets pass
    seccomp_of_first: bytes = b""  # the same for candidates that are the first process
    memory_mb: int = 1024
    processes: int = 64
    open_files: int = 256
    disk_mb: int = 256
    files: int = 65536  # in the scratch folder
    keep: Tuple[str, ...] = ()  # folders below /tmp that stay visible


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


class Confinement:
    """The confinement of one zygote's children, prepared before the first of them is forked."""

    def __init__(self, limits: ChildLimits) -> None:
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self._limits = limits
        self._rlimits = _rlimits(limits)
        filters = limits.seccomp, limits.seccomp_of_first
        self._filters = [_Program(len(code) // 8, code) for code in filters]
        self._filters_at = [ctypes.addressof(made) for made in self._filters]
        self._user = b"%d %d 1" % (os.getuid(), os.getuid())
        self._group = b"%d %d 1" % (os.getgid(), os.getgid())
        self._proc = _mounting("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")
        self._scratch = _scratch(SCRATCH, limits.disk_mb, limits.files)
        self._tmp = _scratch("/tmp", 64, limits.files)  # noqa: S108
        self._shared = _scratch("/dev/shm", 64, limits.files)  # noqa: S108

    def fork(self) -> int:
        """Forks a child that is process 1 of a namespace of its own."""
        _check(_unshare(CLONE_NEWPID), "unshare")
        reseed()
        pid = single_fork()
        if pid:
            # Or the next child would be born into this one's namespace.
            _check(_setns(self._own, CLONE_NEWPID), "setns")
        return pid

    def enter(self, *, own_network: bool = False, first: bool = False) -> None:
        """Confines this process for good; raises OSError where any step fails.

        `first`: the candidate will run in this very process.

        A network namespace costs more than everything else together. Without one of its own the
        child has the zygote's, which has a loopback too and, since children come one after the
        other, nobody else in it; but a port may still be taken for a minute by the one before.
        """
        _check(_unshare(CLONE_NEWNS), "unshare")
        _check(_mount(*self._proc), "mount /proc")
        _check(_mount(*self._scratch), "mount /scratch")
        self._mount_tmp()
        _check(_mount(*self._shared), "mount /dev/shm")
        os.chdir(SCRATCH)
        # In a user namespace of its own its processes are counted by themselves.
        _check(_unshare(CLONE_NEWUSER | (CLONE_NEWNET if own_network else 0)), "unshare")
        _write("/proc/self/setgroups", b"deny")
        _write("/proc/self/uid_map", self._user)
        _write("/proc/self/gid_map", self._group)
        if own_network:
            _raise_loopback()
        for kind, value in self._rlimits:
            resource.setrlimit(kind, (value, value))
        _drop_capabilities()
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        if self._limits.seccomp:
            _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._filters_at[first])
        seal()

    def _mount_tmp(self) -> None:
        kept = [(path, os.open(path, os.O_PATH)) for path in self._limits.keep]
        _check(_mount(*self._tmp), "mount /tmp")
        for path, handle in kept:
            os.makedirs(path, exist_ok=True)
            bound = _mounting("/proc/self/fd/%d" % handle, path, MS_BIND, "")
            _check(_mount(*bound), "mount " + path)
            os.close(handle)


def _drop_capabilities() -> None:
    """All of them, and the rule by which user 0 gets them back when it executes a program."""
    _prctl(PR_SET_SECUREBITS, NO_PRIVILEGED_USER)
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    _check(_capset(_CAPABILITY_HEADER, _NO_CAPABILITIES), "capset")


def seal() -> None:
    """Keeps this process' memory from its children, who are the same user.

    The filter refuses ptrace, but /proc/PID/mem is a file like any other.
    """
    _prctl(PR_SET_DUMPABLE, 0)


def unseal() -> None:
    """Undoes `seal` in a child that runs candidate code, which has nothing to hide."""
    _prctl(PR_SET_DUMPABLE, 1)


def mounted_below(place: str) -> Tuple[str, ...]:
    """The folders that the sandbox has bound there, which a mount over the place would hide."""
    found: List[str] = []
    with open("/proc/self/mountinfo") as mounts:
        for line in mounts:
            path = line.split()[4].replace("\\040", " ")
            if path.startswith(place + "/"):
                found.append(path)
    return tuple(found)


def _scratch(place: str, size_mb: int, files: int) -> "tuple[object, ...]":
    options = "size=%dm,nr_inodes=%d,mode=1777" % (size_mb, files)
    return _mounting("tmpfs", place, MS_NOSUID | MS_NODEV, options)


def _mounting(kind: str, place: str, flags: int, options: str) -> "tuple[object, ...]":
    """The arguments of mount."""
    name = kind.encode()
    return name, place.encode(), name, flags, options.encode()


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def _rlimits(limits: ChildLimits) -> List[Tuple[int, int]]:
    found = []
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.disk_mb << 20),
        (resource.RLIMIT_DATA, limits.memory_mb << 22),
    ):
        _, most = resource.getrlimit(kind)
        found.append((kind, value if most == resource.RLIM_INFINITY else min(value, most)))
    return found


def _prctl(option: int, value: int, third: int = 0) -> None:
    if _prctl_of(option, value, third, 0, 0):
        _check(-1, "prctl")


def _check(result: int, what: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, "%s: %s" % (what, os.strerror(error)))


def _write(path: str, text: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text)
    finally:
        os.close(descriptor)
