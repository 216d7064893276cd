"""Gives a zygote's forked child namespaces, limits and a filter of its own.

The zygote runs in a box that nests, and so holds CAP_SYS_ADMIN inside its own user namespace and
nothing outside of it. For each candidate it does

    pid = confine.fork()
    if pid == 0:
        confine.enter(confine.Limits(seccomp=program_from_the_runner))
        ...candidate code...

In the child, from then on: process 1 of a process namespace (so that its death ends all of its
descendants), no network but its own loopback, empty and sized /scratch, /tmp and /dev/shm, its
own count of processes, no capability, and no way to get one. The order matters: mounts need the
zygote's capability, and the user namespace, which is taken last, is the one to lose it in.
"""

import ctypes
import fcntl
import os
import resource
import socket
import struct
from typing import List, NamedTuple, Tuple

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND = 2, 4, 8, 4096
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECCOMP_MODE_FILTER = 2
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
CAPABILITY_VERSION_3 = 0x20080522

SCRATCH = "/scratch"

_libc = ctypes.CDLL(None, use_errno=True)


class Limits(NamedTuple):
    """What one candidate may use; the zygote's own limits hold above it."""

    seccomp: bytes  # a BPF program, made by the runner
    memory_mb: int = 1024
    processes: int = 64
    open_files: int = 256
    disk_mb: int = 256
    files: int = 65536  # in the scratch folder
    keep: Tuple[str, ...] = ()  # folders below /tmp that stay visible


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def fork() -> int:
    """Forks a child that is process 1 of a namespace of its own."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _call("unshare", ctypes.c_int(CLONE_NEWPID))
        pid = os.fork()
        if pid:
            # Or the next child would be born into this one's namespace.
            _call("setns", ctypes.c_int(own), ctypes.c_int(CLONE_NEWPID))
        return pid
    finally:
        os.close(own)


def enter(limits: Limits) -> None:
    """Confines this process for good; raises OSError where any step fails."""
    user, group = os.getuid(), os.getgid()
    _call("unshare", ctypes.c_int(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP))
    _mount("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")
    _mount_scratch(SCRATCH, limits.disk_mb, limits.files)
    kept = [(path, os.open(path, os.O_PATH)) for path in limits.keep]
    _mount_scratch("/tmp", 64, limits.files)  # noqa: S108
    for path, handle in kept:
        os.makedirs(path, exist_ok=True)
        _mount("/proc/self/fd/%d" % handle, path, MS_BIND, "")
        os.close(handle)
    _mount_scratch("/dev/shm", 64, limits.files)  # noqa: S108
    os.chdir(SCRATCH)
    # In a user namespace of its own its processes are counted by themselves.
    _call("unshare", ctypes.c_int(CLONE_NEWUSER | CLONE_NEWNET))
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", "%d %d 1" % (user, user))
    _write("/proc/self/gid_map", "%d %d 1" % (group, group))
    _raise_loopback()
    _limit(limits)
    _drop_capabilities()
    install_filter(limits.seccomp)
    seal()


def seal() -> None:
    """Keeps this process' memory from its children, who are the same user.

    The filter refuses ptrace, but /proc/PID/mem is a file like any other.
    """
    _prctl(PR_SET_DUMPABLE, 0)


def unseal() -> None:
    """For a child that runs candidate code: it has nothing to hide, and finds /proc/self usual."""
    _prctl(PR_SET_DUMPABLE, 1)


def mounted_below(place: str) -> Tuple[str, ...]:
    """What the sandbox has bound there, which a mount over the place would hide."""
    found: List[str] = []
    with open("/proc/self/mountinfo") as mounts:
        for line in mounts:
            path = line.split()[4].replace("\\040", " ")
            if path.startswith(place + "/"):
                found.append(path)
    return tuple(found)


def install_filter(program: bytes) -> None:
    """Makes the kernel check every further system call of this process and its children."""
    whole = _Program(len(program) // 8, program)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if program:
        _call(
            "prctl",
            ctypes.c_int(PR_SET_SECCOMP),
            ctypes.c_ulong(SECCOMP_MODE_FILTER),
            ctypes.byref(whole),
        )


def _mount_scratch(place: str, size_mb: int, files: int) -> None:
    options = "size=%dm,nr_inodes=%d,mode=1777" % (size_mb, files)
    _mount("tmpfs", place, MS_NOSUID | MS_NODEV, options)


def _mount(kind: str, place: str, flags: int, options: str) -> None:
    _call(
        "mount",
        kind.encode(),
        place.encode(),
        kind.encode(),
        ctypes.c_ulong(flags),
        options.encode(),
    )


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def _limit(limits: Limits) -> None:
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.disk_mb << 20),
        (resource.RLIMIT_DATA, limits.memory_mb << 22),
    ):
        _, most = resource.getrlimit(kind)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (value, value))


def _drop_capabilities() -> None:
    # One call each, and many of them: without the detours of _prctl.
    prctl, zero = _libc.prctl, ctypes.c_ulong(0)
    with open("/proc/sys/kernel/cap_last_cap") as last:
        for capability in range(int(last.read()) + 1):
            if prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), zero, zero, zero) != 0:
                raise OSError(ctypes.get_errno(), "a capability could not be dropped")
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    _call("capset", header, bytes(24))


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _call("prctl", ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, "%s: %s" % (name, os.strerror(error)))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
