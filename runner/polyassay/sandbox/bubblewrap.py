"""The default sandbox: bubblewrap, which needs no rights on the user's machine.

Three processes stand between this one and the guest's own: bwrap, which sets up and waits; the
first process of the new namespace, also bwrap, which reaps; and, for a moment each, prlimit and
setpriv, which set the limits and take the unprivileged user as the last thing before the guest.
"""

import functools
import json
import os
import platform
import secrets
import select
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.sandbox import SCRATCH, Box, Guest, NotStarted
from polyassay.sandbox.guest import CHUNK, FrameGuest
from polyassay.sandbox.linux import cgroup_v1
from polyassay.sandbox.linux.cgroup import ControlGroup, ControlGroups, delegated
from polyassay.sandbox.linux.launch import FIXES_LAYOUT, Pipes, is_set_up, kill_family, start
from polyassay.sandbox.linux.namespace import Namespace
from polyassay.sandbox.linux.rlimits import environment, rlimits
from polyassay.sandbox.linux.seccomp import program, supported
from polyassay.sandbox.linux.watch import watched

_ETC = Path(__file__).parent / "etc"
_USER = 1000  # inside; see etc/passwd
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
_START_SECONDS = 60
_TMP_MB = 64
_SHARED_MB = 64
_NO_GROUP = (
    "No control group can be made: memory and processes are limited by rlimits and a watch, so "
    "that short peaks are possible; what the kernel holds for sockets is reckoned by their "
    "number, and for pipes bounded by its limit for a user. Where systemd runs, `systemd-run "
    "--user --scope -p Delegate=yes polyassay run …` gives a group."
)
_GROUP = (
    "control groups of version {version} limit memory and processes, and count CPU time and what "
    "the kernel holds for sockets, pipes and names of files"
)


class Bubblewrap:
    name = "bubblewrap"
    nests = True
    fixes_layout = FIXES_LAYOUT

    def __init__(self, groups: ControlGroups | None = None) -> None:
        self._bwrap, self._prlimit, self._setpriv = map(_tool, ("bwrap", "prlimit", "setpriv"))
        self._as_root = os.geteuid() == 0
        self._groups: ControlGroups | None = groups or delegated() or cgroup_v1.usable()
        if self._groups:
            self._groups.tidy()
        if not supported():
            raise PolyAssayError(
                f"There is no filter of system calls for {platform.machine()} yet.",
                hint="Use --sandbox docker, or a machine of type x86_64 or aarch64.",
            )

    def __reduce__(self) -> tuple[type["Bubblewrap"], tuple[ControlGroups | None]]:
        """Sent to another process, it is made anew there, with the same control groups.

        Only the first process of a run is in a place of the tree where it could find them.
        """
        return Bubblewrap, (self._groups,)

    def start(self, box: Box) -> Guest:
        group = self._groups.new(box.limits) if self._groups else None
        try:
            tree, pipes = self._launch(box, group)
        except BaseException:
            if group:
                group.remove()
            raise
        guest = watched(FrameGuest(pipes, tree, box.limits))
        is_set_up(tree.launcher)  # for what goes wrong from here on, there is the watch
        return guest

    def strengths(self) -> list[str]:
        return [_GROUP.format(version=self._groups.version)] if self._groups else []

    def weaknesses(self) -> list[str]:
        return [] if self._groups else [_NO_GROUP]

    def _launch(self, box: Box, group: ControlGroup | None) -> tuple[Namespace, Pipes]:
        with ExitStack() as opened:
            info, info_inside = _pipe(opened)
            go_inside, go = _pipe(opened)
            seccomp = opened.enter_context(_file(program(box.nests))).fileno()
            argv = self._arguments(box, info_inside.fileno(), go_inside.fileno())
            argv += ["--seccomp", str(seccomp), "--", *self._command(box)]
            passed = {info_inside.fileno(), seccomp}
            passed |= {go_inside.fileno()} if self._as_root else set()
            launcher, pipes = start(
                group.joined(argv) if group else argv, passed, fixed_layout=box.fixed_layout
            )
            info_inside.close()  # so that the end of bwrap is the end of what it tells
            try:
                first = _first_process(info.fileno())
                if self._as_root:
                    _map_users(first)
                    go.write(b"1")
                return Namespace(launcher, first, group), pipes
            except (OSError, ValueError) as error:
                raise _failure(launcher, pipes) from error

    def _arguments(self, box: Box, info: int, go: int) -> list[str]:
        limits = box.limits
        argv = [self._bwrap, "--unshare-user", "--unshare-all", "--die-with-parent"]
        argv += ["--new-session", "--hostname", "polyassay", "--info-fd", str(info)]
        argv += ["--cap-drop", "ALL", *self._users(box, go)]
        argv += _system()
        argv += ["--proc", "/proc", *_devices()]
        for place, size in ((SCRATCH, limits.disk_mb), ("/tmp", _TMP_MB), ("/dev/shm", _SHARED_MB)):  # noqa: S108
            argv += ["--size", str(size << 20), "--perms", "1777", "--tmpfs", place]
        argv += _readable(box.readable)
        argv += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", SCRATCH]
        for name, value in environment(box).items():
            argv += ["--setenv", name, value]
        return argv

    def _users(self, box: Box, go: int) -> list[str]:
        """Who the guest is, and what it may do in its own user namespace."""
        nesting = ["--cap-add", "CAP_SYS_ADMIN"] if box.nests else []
        if not self._as_root:
            only_one = [] if box.nests else ["--disable-userns"]
            return ["--uid", str(_USER), "--gid", str(_USER), *only_one, *nesting]
        argv = ["--uid", "0", "--gid", "0", "--userns-block-fd", str(go), *nesting]
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            argv += ["--cap-add", capability]
        return argv

    def _command(self, box: Box) -> list[str]:
        argv = rlimits(self._prlimit, box.limits)
        if self._as_root:
            kept = "-all,+sys_admin" if box.nests else "-all"
            argv += [self._setpriv, "--reuid", str(_USER), "--regid", str(_USER), "--clear-groups"]
            argv += ["--inh-caps", kept, "--ambient-caps", kept, "--bounding-set", kept]
        return [*argv, *box.argv]


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        package = "bubblewrap" if name == "bwrap" else "util-linux"
        raise PolyAssayError(f"{name} was not found.", hint=f"Install the package {package}.")
    return str(Path(path).resolve())  # a link may stand where the guest cannot see it


@functools.cache
def _system() -> tuple[str, ...]:
    """The system's programs and libraries, and of its settings only what these need."""
    return tuple(_system_arguments())


def _system_arguments() -> Iterator[str]:
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    yield from _folder("/etc")
    for name in (*_SETTINGS, *map(str, Path("/etc").glob("java*"))):
        yield from ("--ro-bind-try", name, name)
    for path in sorted(_ETC.iterdir()):
        yield from ("--ro-bind", str(path), f"/etc/{path.name}")


def _devices() -> Iterator[str]:
    """A few devices and no terminals.

    For bwrap's own --dev it takes a second user namespace, in which a zygote would have no say
    over its process namespace.
    """
    yield from ("--perms", "0755", "--tmpfs", "/dev")
    for name in ("null", "zero", "full", "random", "urandom"):
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for name, place in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        yield from ("--symlink", f"/proc/self/fd{place}", f"/dev/{name}")


def _folder(place: str) -> tuple[str, ...]:
    """A folder for all; one that bwrap adds by itself is its own user's, who is not the guest's."""
    return "--perms", "0755", "--dir", place


def _readable(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        for parent in reversed(path.parents[:-1]):
            yield from _folder(str(parent))
        yield from ("--ro-bind", str(path), str(path))


def _first_process(info: int) -> int:
    """The number, in our namespace, of the first process of the sandbox."""
    text = b""
    deadline = time.monotonic() + _START_SECONDS
    waiting = select.poll()  # which takes descriptors above 1023, too
    waiting.register(info, select.POLLIN)
    while not text.rstrip().endswith(b"}"):
        ready = waiting.poll(1000 * max(deadline - time.monotonic(), 0))
        chunk = os.read(info, 4096) if ready else b""
        if not chunk:
            raise OSError("bwrap gave no answer")
        text += chunk
    return int(json.loads(text)["child-pid"])


def _pipe(opened: ExitStack) -> tuple[FileIO, FileIO]:
    reading, writing = os.pipe()
    return opened.enter_context(FileIO(reading)), opened.enter_context(FileIO(writing, "w"))


def _file(content: bytes) -> FileIO:
    """A file without a name, to be read from its start."""
    file = FileIO(os.memfd_create("polyassay"), "r+")
    file.write(content)
    file.seek(0)
    return file


def _map_users(first: int) -> None:
    """Gives the sandbox a user of its own.

    A user that several sandboxes shared would share its count of processes too, and the limit on
    that does not bind root at all. Root itself is mapped for the mounts only.
    """
    own = (1 << 30) + secrets.randbelow(1 << 30)
    for kind in ("uid", "gid"):
        Path(f"/proc/{first}/{kind}_map").write_text(f"0 0 1\n{_USER} {own} 1\n")


def _failure(launcher: int, pipes: Pipes) -> NotStarted:
    kill_family(launcher)
    is_set_up(launcher)
    os.wait4(launcher, 0)
    words = _last_words(pipes.outward[-1])
    pipes.close()
    return NotStarted(words.decode("utf-8", "replace").strip() or "bwrap ended at once")


def _last_words(stderr: int) -> bytes:
    """The launcher's messages; it has ended, so no more of them come."""
    with suppress(BlockingIOError):
        return os.read(stderr, CHUNK)
    return b""
