"""Guests for the sandbox tests: small Python programs that speak frames."""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polyassay.harness.allowance import Allowance
from polyassay.harness.python.together import ask_all
from polyassay.harness.python.zygote import Zygote
from polyassay.model import Limits, Program
from polyassay.sandbox import Box, BoxLimits, Ended, Guest, Sandbox
from polyassay.sandbox.linux.seccomp import program_of_child

PYTHON = Path(sys.executable).resolve()
ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "python-harness"
PRELUDE = """
import os, struct, sys, time
def send(value):
    data = value if isinstance(value, bytes) else repr(value).encode()
    data = struct.pack(">I", len(data)) + data
    while data:
        data = data[os.write(1, data):]
def receive():
    (length,) = struct.unpack(">I", sys.stdin.buffer.read(4))
    return sys.stdin.buffer.read(length)
"""

# What becomes of a system call, and of a socket of some family.
REFUSALS = """
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
def refusal(name, *arguments):
    ctypes.set_errno(0)
    getattr(libc, name)(*arguments)
    return errno.errorcode.get(ctypes.get_errno(), "allowed")
def family(number):
    try:
        socket.socket(number, socket.SOCK_STREAM).close()
        return "allowed"
    except OSError as error:
        return errno.errorcode[error.errno]
"""


def python_box(code: str, *, readable: tuple[Path, ...] = (), nests: bool = False, **limits) -> Box:
    return Box(
        (str(PYTHON), "-I", "-S", "-c", PRELUDE + code),
        readable=(PYTHON.parent.parent, *readable),
        limits=BoxLimits(**limits),
        nests=nests,
    )


@contextmanager
def running(sandbox: Sandbox, code: str, **options) -> Iterator[Guest]:
    guest = sandbox.start(python_box(code, **options))
    try:
        yield guest
    finally:
        guest.close()


def answer(sandbox: Sandbox, code: str, **options) -> Any:
    """What the code sends, read as a literal."""
    with running(sandbox, code, **options) as guest:
        try:
            return ast.literal_eval(guest.receive(30).decode())
        except Ended as error:
            raise AssertionError(f"{error}: {guest.stderr()}") from error


def ending(sandbox: Sandbox, code: str, seconds: float = 30, **options) -> Ended:
    with running(sandbox, code, **options) as guest:
        try:
            while True:
                guest.receive(seconds)
        except Ended as error:
            return error


def receive_within(guest: Guest, cpu_seconds: float) -> bytes:
    """The next frame, for which the guest may use so much CPU time."""
    allowance = Allowance(Limits(seconds=cpu_seconds))
    allowance.count(guest)
    return guest.receive(60, allowance.check)


ZYGOTE = """
sys.path.insert(0, "{harness}")
from polyassay_harness.process import confine
box = confine.Confinement(confine.ChildLimits(seccomp={seccomp}, processes=8, disk_mb=5))
for number in range(2):
    pid = box.fork()
    if pid == 0:
        box.enter(own_network=number == 1)
        {child}
        os._exit(0)
    os.waitpid(pid, 0)
"""


def in_zygote(sandbox: Sandbox, child: str) -> list[object]:
    """What two children of a zygote send, one after the other."""
    lines = "\n        ".join(child.strip().splitlines())
    code = ZYGOTE.format(harness=HARNESS, seccomp=program_of_child(), child=lines)
    with running(sandbox, code, readable=(HARNESS,), nests=True) as guest:
        try:
            return [ast.literal_eval(guest.receive(30).decode()) for _ in range(2)]
        except Ended as error:
            raise AssertionError(f"{error}: {guest.stderr()}") from error


def function_request(source: str, entry: str, tests: list[str], **limits: float) -> dict[str, Any]:
    """What a zygote is asked of a function with few tests; a test's name is its number."""
    named_tests = [
        {"name": str(number), "code": code, "stdin": ""} for number, code in enumerate(tests)
    ]
    return {
        "task": "s/t",
        "style": "function",
        "entry": entry,
        "preamble": "",
        "setup": "",
        "tests": named_tests,
        "files": {},
        "build_on_each_other": False,
        "believes": False,
        "source": source,
        "first_line": 1,
        "limits": {"seconds": 5, "total_seconds": 20, "memory_mb": 256, **limits},
    }


def ask(zygote: Zygote, work: Any) -> Any:
    """A zygote's report on one candidate, judged together."""
    (report,) = ask_all(zygote, work, [Program(work["source"], first_line=1)])
    return report


def named(name: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text().strip() == name:
                found.append(process.name)
        except OSError:
            continue
    return found
