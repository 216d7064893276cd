"""Every message between the runner and the Python processes in its sandboxes, as types.

Both ends import this module. A message is a frame: the message's name, a line end, and a body,
which is JSON unless said otherwise. Messages marked "with payload" are followed by a second frame
with text of an answer, a test or a value. A zygote never reads a payload (see frames.py), because
every candidate that it forks later could find it in its memory.

    runner ── JudgeRequest, payload ──► zygote ── forks ──► supervisor or worker, reads the payload
    runner ◄─ Judged ───────────────── supervisor            (judged together)
    runner ◄─ TestEnded, payload ───── zygote                (judged together, a fork per test)
    runner ◄─ Loaded, payload ──┐
    runner ── BeginTest, Call … ┤───── supervisor or zygote  (judged apart: the worker's end)
    runner ◄─ Finished, payload ┘
    runner ── JudgeTests ────────────► judge                 (judged apart: the tests' end)
    runner ◄─ NextTest, Call, TestResult, TestsFinished ── judge
"""

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypedDict, Union

# Runner → zygote.
JUDGE = "judge"  # JudgeRequest, with payload: Work
CONTEXT = "context"  # no body, with payload: Context
GROW = "grow"  # Grow
LEAVE = "leave"  # no body
# Runner → the worker's end: a supervisor, or a zygote that forks for each test.
BEGIN_TEST = "begin_test"  # BeginTest
CALL = "call"  # no body, with payload: what the judge asks of the worker
NO_MORE_TESTS = "no_more_tests"  # no body
# The worker's end → runner.
LOADED = "loaded"  # no body, with payload: LoadReport
REPLY = "reply"  # Reply, with payload: what the worker answers to a call, or a part of it
GONE = "gone"  # Gone: there is no worker any more
# Zygote or supervisor → runner.
READY = "ready"  # no body
TEST_ENDED = "test_ended"  # TestEnded, with payload: what the test's process has sent
FINISHED = "finished"  # Finished, with payload: what the candidate printed
JUDGED = "judged"  # Judged
CONTEXT_READY = "context_ready"  # ContextReady
FAILED = "failed"  # Failed: ours, no candidate's
# Runner → judge, and back; CALL carries its payload as its body there, and so do REPLY and GONE.
JUDGE_TESTS = "judge_tests"  # Work
NEXT_TEST = "next_test"  # no body
TEST_RESULT = "test_result"  # TestResult
TESTS_FINISHED = "tests_finished"  # TestsFinished
# A worker's own process → its supervisor, in place of a reply.
FORK_ENDED = "fork_ended"  # ForkEnded

Json = Dict[str, Any]


class Limits(TypedDict):
    seconds: float  # of CPU time, a test
    total_seconds: float  # of CPU time, the whole candidate
    memory_mb: int


class JudgeRequest(TypedDict):
    """The facts that a zygote must know of a candidate; no text of its answer or its tests."""

    style: str
    apart: bool
    tests: int  # how many processes to fork, with fork_per_test
    fork_per_test: bool
    own_network: bool  # or the loopback that all candidates of a zygote use in turn
    limits: Limits


class Test(TypedDict, total=False):
    name: str
    code: str
    stdin: str
    function: str  # one-to-many: the function that it is tried on
    compiled: str  # see testing/precompiled.py
    token: str  # what its process must send with its result


class Work(TypedDict, total=False):
    """A candidate and, unless it is judged apart, its tests; without a source, tests alone."""

    task: str
    style: str
    entry: str
    source: str
    first_line: int  # of the answer in the source
    modules: Dict[str, str]  # path → source of the program's other files
    preamble: str
    setup: str
    tests: List[Test]
    files: Dict[str, str]  # path → content in base 64
    build_on_each_other: bool
    believes: bool  # together: objects are believed what they say, as Python does
    limits: Limits
    again: str  # judge: the tests that may be judged again in the same process
    test_source: str  # pytest
    reordered: bool  # pytest: in the order of `tests`, whatever pytest's own is
    collect: bool  # pytest: nothing is run, and the names of the tests are the report
    support: Dict[str, str]
    module: str
    cells: List[str]  # notebooks: the context, unless the zygote holds it
    cell_seconds: float


class Context(TypedDict):
    files: Dict[str, str]
    cells: List[str]


class Grow(TypedDict):
    libraries: List[str]


class BeginTest(TypedDict):
    last: bool


class LoadReport(TypedDict, total=False):
    """How a program loaded: an ending and its reason, or what it defines."""

    ending: str
    reason: str
    functions: List[str]
    threads: bool  # whether it left threads running, which a fork would lose
    killed: bool  # something else on the machine may have ended it


class Gone(TypedDict, total=False):
    status: str
    message: str
    idled: bool  # wall time ended it, not CPU time
    killed: bool  # something else on the machine may have ended it


class Reply(TypedDict):
    more: bool  # another part of the same reply follows


class TestResult(TypedDict, total=False):
    name: str
    function: str
    status: str
    type: str
    message: str
    seconds: float
    stdout: str  # of a program, in base 64
    token: str
    killed: bool  # something else on the machine may have ended its process


class TestEnded(TypedDict):
    """How a test's process ended; what it said is the payload, which the runner reads."""

    wait_status: int
    cpu_seconds: float
    stopped: Optional[Json]  # status and message, where it did not end by itself
    idled: bool


class Finished(TypedDict):
    seconds: float
    cpu_seconds: float


class Judged(TypedDict, total=False):
    """A supervisor's whole report."""

    results: List[TestResult]
    ending: str
    reason: str
    output: str
    seconds: float
    cpu_seconds: float
    idled: bool  # wall time ended it: to be tried once more
    suspect: bool  # a process of ours ended, or something else may have ended the candidate's
    collected: List[str]  # pytest: the names of all tests
    disabled: List[str]  # and of those that the publisher has switched off
    cell: Json
    problem: str  # of a notebook's context


class ContextReady(TypedDict, total=False):
    """An empty one: the context has run, and can be forked."""

    problem: str
    killed: bool  # something else on the machine may have ended its process
    anew: str  # why each candidate needs a context of its own


class Failed(TypedDict):
    reason: str


class TestsFinished(TypedDict, total=False):
    cpu_seconds: float
    status: str  # where the judge's process broke off
    message: str


class ForkEnded(TypedDict):
    wait_status: int
    cpu_seconds: float


Body = Union[bytes, Mapping[str, Any]]


def pack(name: str, body: Body = b"") -> bytes:
    """A frame's content.

    >>> pack(BEGIN_TEST, {"last": True})
    b'begin_test\\n{"last": true}'
    """
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return name.encode() + b"\n" + content


def unpack(frame: bytes) -> Tuple[str, bytes]:
    """The message's name and its body."""
    name, _, body = frame.partition(b"\n")
    return name.decode("ascii", "replace"), body
