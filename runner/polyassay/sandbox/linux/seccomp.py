"""The filter on a guest's system calls: the policy, and its two forms.

bubblewrap and the Python harness load a BPF program, Docker reads a JSON profile; both are made
from the tables here. What is not allowed does not exist or is not permitted; a call of a foreign
architecture kills.
"""

import functools
import platform
from errno import EAFNOSUPPORT, ENOSYS, EPERM
from pathlib import Path
from signal import SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGSTOP, SIGSYS, SIGTRAP

from polyassay.sandbox.linux.bpf import Instruction, allow, assemble, fail, jump_if, kill, load

_TABLE = Path(__file__).parent / "syscalls.txt"

# Known calls that no guest gets, by what they would give it.
DENIED = {
    "other processes": """ptrace process_vm_readv process_vm_writev process_madvise
        process_mrelease kcmp pidfd_getfd move_pages migrate_pages""",
    "namespaces and mounts": """unshare setns mount umount2 pivot_root chroot open_tree move_mount
        fsopen fsconfig fsmount fspick mount_setattr""",
    "keyrings": "add_key request_key keyctl",
    "the kernel's riskier machines": """bpf perf_event_open userfaultfd io_uring_setup
        io_uring_enter io_uring_register fanotify_init open_by_handle_at name_to_handle_at
        lookup_dcookie vhangup personality modify_ldt""",
    # These hold memory that belongs to no process, where no limit but a cgroup's would count it.
    "memory out of sight": "memfd_create memfd_secret shmget msgget semget mq_open",
    "the machine itself": """init_module finit_module delete_module create_module query_module
        get_kernel_syms kexec_load kexec_file_load reboot swapon swapoff acct quotactl quotactl_fd
        syslog settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl
        ioperm nfsservctl""",
    "what nobody uses any more": """_sysctl sysfs uselib ustat afs_syscall security tuxcall vserver
        getpmsg putpmsg epoll_ctl_old epoll_wait_old""",
}
# What a zygote needs to confine the children that it forks, and to keep what they say.
NESTING = frozenset({"unshare", "setns", "mount", "memfd_create"})
# What the engine's control group counts.
DOCKER = frozenset({"memfd_create"})

_CHECKED = frozenset({"socket", "socketpair", "clone", "clone3"})  # decided by their arguments
_SOL_SOCKET, _SO_SNDBUF, _SO_RCVBUF = 1, 7, 8
_FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}
# Calls that send a signal, first argument to whom, and where in the call its number is.
_SIGNALLING = {
    **dict.fromkeys(("kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"), 24),
    "tgkill": 32,
}
_DEADLY = (SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS)
_ALL_PROCESSES = 0xFFFFFFFF
_NEW_NAMESPACES = 0x7E020000  # all CLONE_NEW… flags of clone
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_DOCKER = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}
_COLUMN = {"x86_64": 1, "aarch64": 2}


def allowed(besides: frozenset[str] = frozenset()) -> list[str]:
    """The calls that are allowed whatever their arguments."""
    denied = {name for names in DENIED.values() for name in names.split()} - besides
    return [name for name in numbers() if name not in denied and name not in _CHECKED]


@functools.cache
def program(nests: bool = False, machine: str = "") -> bytes:
    """The BPF program for this machine, as bwrap's --seccomp and prctl take it."""
    machine = machine or platform.machine()
    number = _present(machine)
    names = allowed(NESTING if nests else frozenset())
    code = [load(4), jump_if("==", _AUDIT[machine], 1, 0), kill(), load(0)]
    for name in ("socket", "socketpair"):
        code += _when(number[name], _check_family())
    code += _when(number["setsockopt"], _keep_buffers())
    code += _when(number["clone3"], [fail(ENOSYS)])  # libraries then fall back to clone
    code += _when(number["clone"], [allow()] if nests else _check_flags())
    good = {number[name] for name in names if name in number}
    code += _search(_ranges(good, max(number.values())))
    return assemble(code)


@functools.cache
def program_of_child(machine: str = "", *, first: bool = False) -> bytes:
    """For a child of a process that nests: refuses what that one's filter, which stays, allows it.

    The first process of a namespace does not get a signal that it sends itself and cannot handle;
    for such a process, sending one of those is the end.
    """
    number = _present(machine or platform.machine())
    code = [load(0)]
    for name in sorted(NESTING):
        code += _when(number[name], [fail(EPERM)])
    code += _when(number["clone"], _check_flags())
    for name, signal in _SIGNALLING.items() if first else ():
        # To whom a descriptor leads cannot be seen from here; nothing usual sends these by one.
        whom = [kill()] if name == "pidfd_send_signal" else _check_whom()
        code += _when(number[name], _check_signal(signal, whom))
    return assemble([*code, allow()])


def docker_profile() -> dict[str, object]:
    """The same policy for Docker's --security-opt seccomp."""
    families = [
        {
            "names": ["socket", "socketpair"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": 0, "value": value, "op": "SCMP_CMP_EQ"}],
        }
        for value in _FAMILIES.values()
    ]
    no_flags = {"index": 0, "value": _NEW_NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": EPERM,
        "archMap": [{"architecture": _DOCKER[platform.machine()], "subArchitectures": []}],
        "syscalls": [
            {"names": allowed(DOCKER), "action": "SCMP_ACT_ALLOW"},
            *families,
            {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [no_flags]},
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": ENOSYS},
        ],
    }


@functools.cache
def numbers(machine: str = "") -> dict[str, int | None]:
    """All known calls; None where this machine lacks one."""
    column = _COLUMN[machine or platform.machine()]
    rows = (line.split() for line in _TABLE.read_text().splitlines() if not line.startswith("#"))
    return {row[0]: None if row[column] == "-" else int(row[column]) for row in rows}


def _present(machine: str) -> dict[str, int]:
    return {name: n for name, n in numbers(machine).items() if n is not None}


def supported() -> bool:
    return platform.machine() in _AUDIT


def _when(number: int, check: list[Instruction]) -> list[Instruction]:
    """Decides the call of that number by its arguments; the check must end in an action."""
    return [jump_if("==", number, 0, len(check)), *check]


def _check_family() -> list[Instruction]:
    code = [load(16)]
    left = len(_FAMILIES)
    for value in _FAMILIES.values():
        code.append(jump_if("==", value, left, 0))
        left -= 1
    return [*code, fail(EAFNOSUPPORT), allow()]


def _keep_buffers() -> list[Instruction]:
    """Tells a guest that its socket's buffers have the size that it wanted, and changes nothing.

    They are the kernel's memory, and where there is no control group only the number of sockets
    tells how much that is.
    """
    code = [load(24), jump_if("==", _SOL_SOCKET, 1, 0), allow(), load(32)]
    code += [jump_if("==", _SO_SNDBUF, 1, 0), jump_if("==", _SO_RCVBUF, 0, 1), fail(0), allow()]
    return code


def _check_flags() -> list[Instruction]:
    return [load(16), jump_if("&", _NEW_NAMESPACES, 0, 1), fail(EPERM), allow()]


def _check_signal(signal: int, whom: list[Instruction]) -> list[Instruction]:
    """Of a signal that ends a process, `whom` checks to which process it goes."""
    code = [load(signal)]
    for left, number in reversed(list(enumerate(reversed(_DEADLY)))):
        code.append(jump_if("==", number, left + 1, 0))
    return [*code, allow(), *whom]


def _check_whom() -> list[Instruction]:
    """Kills who sends to itself, to its group or to all."""
    to_all = jump_if("==", _ALL_PROCESSES, 2, 0)
    return [load(16), to_all, jump_if(">=", 2, 0, 1), allow(), kill()]


def _ranges(good: set[int], newest: int) -> list[tuple[int, Instruction]]:
    """From which number on which action holds."""
    ranges: list[tuple[int, Instruction]] = []
    for number in range(newest + 1):
        action = allow() if number in good else fail(EPERM)
        if not ranges or ranges[-1][1] != action:
            ranges.append((number, action))
    return [*ranges, (newest + 1, fail(ENOSYS))]


def _search(ranges: list[tuple[int, Instruction]]) -> list[Instruction]:
    """Finds the range of the loaded number by halving."""
    if len(ranges) == 1:
        return [ranges[0][1]]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    return [jump_if(">=", ranges[middle][0], len(below), 0), *below, *above]
