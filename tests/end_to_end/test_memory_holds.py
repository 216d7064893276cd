"""A limit on memory holds for what several processes and the kernel hold, with real attacks.

Each attack takes several times the limit and then answers rightly, so it would pass if it got away
with it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.boxes import answer
from end_to_end.judged import judge, python_task
from polyassay.harness import RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.model import Judging, Limits, Outcome, Verdict
from polyassay.sandbox.bubblewrap import Bubblewrap
from real_parts import missing

LIMITS = Limits(seconds=20, total_seconds=60, memory_mb=64)
TASK = python_task(
    *("assert double(2) == 4", "assert double(3) == 6"), entry="double", limits=LIMITS
)
FILL = """
import fcntl, mmap, os, socket, time
kept = []
def fill(write, size):
    try:
        while True:
            write(b"x" * size)
    except OSError:
        pass
def pair(kind):
    near, far = socket.socketpair(socket.AF_UNIX, kind)
    for end in (near, far):
        end.setblocking(False)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, option, 8 << 20)
    return near, far
"""
# One process has too few descriptors to hold as much as the limit in the kernel's buffers.
SEVERAL = """
for _ in range(9):
    if os.fork() == 0:
        break
BODY
time.sleep(4)
"""
STREAMS = """
for _ in range(100):
    ends = pair(socket.SOCK_STREAM)
    kept.append(ends)
    for end in ends:
        fill(end.send, 65536)
"""
IN_FLIGHT = """
import array
carrier, other = pair(socket.SOCK_DGRAM)
for _ in range(100):
    ends = pair(socket.SOCK_STREAM)
    for end in ends:
        fill(end.send, 65536)
    rights = array.array("i", [end.fileno() for end in ends])
    try:
        carrier.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    except OSError:
        kept.append(ends)
"""
ATTACKS = {
    "streams": SEVERAL.replace("BODY", STREAMS),
    "datagrams of a byte": SEVERAL.replace(
        "BODY", STREAMS.replace("STREAM", "DGRAM").replace("65536", "1")
    ),
    "sequenced packets": SEVERAL.replace("BODY", STREAMS.replace("STREAM", "SEQPACKET")),
    "descriptors on their way": SEVERAL.replace("BODY", IN_FLIGHT),
    "forks": """
for _ in range(8):
    if os.fork() == 0:
        kept.append(b"1" * 45_000_000)
        time.sleep(5)
        os._exit(0)
time.sleep(3)
""",
    "forks of forks": """
for _ in range(3):
    os.fork()
kept.append(b"1" * 45_000_000)
time.sleep(3)
""",
    "memory that forks share": """
for _ in range(6):
    shared = mmap.mmap(-1, 50_000_000)
    shared.write(b"1" * 50_000_000)
    kept.append(shared)
time.sleep(1)
""",
}
HONEST = {
    "a large list": "kept.append(b'1' * 40_000_000)",
    "some sockets": "for _ in range(20): kept.append(pair(socket.SOCK_STREAM))",
    "some forks": "for _ in range(10):\n    if os.fork() == 0: time.sleep(0.2); os._exit(0)\n"
    "for _ in range(10): os.wait()",
}


@pytest.fixture(scope="module", params=["group", "watch only"])
def sandbox(request: pytest.FixtureRequest) -> Bubblewrap:
    made = Bubblewrap()
    if request.param == "watch only":
        made._groups = None
    elif made._groups is None:
        missing("control groups", "none can be made here")
    return made


@pytest.fixture(scope="module", params=Judging)
def harness(
    request: pytest.FixtureRequest, sandbox: Bubblewrap, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PythonHarness]:
    home: Path = tmp_path_factory.mktemp("home")
    made = PythonHarness(RunSettings(sandbox, home, judge=request.param))
    yield made
    made.close()


def doubled(harness: PythonHarness, body: str) -> Verdict:
    code = f"{FILL}\ndef double(n):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    code += "    return 2 * n\n"
    return judge(harness.open(), TASK, code)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_escapes_the_limit(harness: PythonHarness, attack: str) -> None:
    verdict = doubled(harness, ATTACKS[attack])
    assert verdict.outcome is Outcome.OUT_OF_MEMORY, (verdict.reason, verdict.tests)


@pytest.mark.parametrize("use", HONEST)
def test_what_is_allowed_is_enough(harness: PythonHarness, use: str) -> None:
    verdict = doubled(harness, HONEST[use])
    assert verdict.outcome is Outcome.PASSED, (verdict.reason, verdict.tests)


def test_a_guest_cannot_widen_its_sockets(sandbox: Bubblewrap) -> None:
    code = """
import socket
near, far = socket.socketpair()
before = near.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, before * 8)
near.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
send([near.getsockopt(socket.SOL_SOCKET, o) for o in (socket.SO_SNDBUF, socket.SO_KEEPALIVE)]
     == [before, 1])
"""
    assert answer(sandbox, code) is True
