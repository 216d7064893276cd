"""Imports a suite's libraries once, then forks for each candidate that it is sent.

Messages (wire/messages.py) come on standard input and go to standard output. A child that runs a
candidate has namespaces, limits and a scratch folder of its own; nothing that it does reaches this
process. In turn this process never reads an answer, a test or a result: each child reads its own.
"""

import base64
import gc
import json
import os
import resource
import signal
import time
import traceback
from typing import Any, Callable, Dict, List, Optional

from polyassay_harness.notebook.cell import CellSupervisor
from polyassay_harness.notebook.context import ContextHolder
from polyassay_harness.process import confine
from polyassay_harness.process.budget import Budget
from polyassay_harness.process.forks import last_act, single_fork
from polyassay_harness.process.libraries import import_libraries
from polyassay_harness.process.limits import OPEN_FILES, PROCESSES, cpu_of, unusable
from polyassay_harness.process.signals import end_by_signals
from polyassay_harness.supervisor.functions import FunctionSupervisor
from polyassay_harness.supervisor.program import ProgramSupervisor
from polyassay_harness.supervisor.pytest_file import PytestSupervisor
from polyassay_harness.supervisor.relay import Relay
from polyassay_harness.wire import frames
from polyassay_harness.wire.frames import Streams, take_streams
from polyassay_harness.wire.messages import (
    CONTEXT,
    CONTEXT_READY,
    FAILED,
    FINISHED,
    GROW,
    JUDGE,
    JUDGED,
    LEAVE,
    READY,
    JudgeRequest,
    Work,
    unpack,
)
from polyassay_harness.worker.load import forget_harness
from polyassay_harness.zygote.fork_per_test import ForkPerTest, NotEntered
from polyassay_harness.zygote.worker_per_test import WorkerPerTest

_LEFT = 113  # the exit code of a fork that was told to leave, which no cell has by accident
_NOT_ENTERED = 114  # and of a supervisor that could not be confined

SUPERVISORS: Dict[str, Any] = {  # of candidates judged together
    "function": FunctionSupervisor,
    "class": FunctionSupervisor,
    "sets": FunctionSupervisor,
    "program": ProgramSupervisor,
    "pytest": PytestSupervisor,
    "cell": CellSupervisor,
}


def main(arguments: List[str]) -> None:
    """Serves for ever; the arguments are "nests" or "single", two filters, libraries."""
    nests, seccomp, seccomp_of_first, *libraries = arguments
    streams = take_streams()
    import_libraries(libraries)
    box = _confinement(seccomp, seccomp_of_first) if nests == "nests" else None
    end_by_signals()
    gc.collect()
    gc.freeze()  # a collection in a child would otherwise touch, and so copy, every page
    streams.send(READY)
    if box is None:
        _serve_one(os.getcwd(), streams)
    else:
        Zygote(os.getcwd(), streams, box).serve()


def _serve_one(scratch: str, streams: Streams) -> None:
    """The sandbox was made for one candidate, and this process is its supervisor."""
    try:
        _, body = unpack(frames.read_frame(streams.requests))
        payload = frames.read_frame(streams.requests)
    except frames.Broken:
        return
    judge: JudgeRequest = json.loads(body)
    problem = unusable(judge["limits"])
    if problem:
        streams.send(FAILED, {"reason": problem})
        return
    confine.seal()
    with last_act():
        _supervise(judge, payload, scratch, streams)


def _confinement(seccomp: str, seccomp_of_first: str) -> confine.Confinement:
    return confine.Confinement(
        confine.ChildLimits(
            seccomp=base64.b64decode(seccomp),
            seccomp_of_first=base64.b64decode(seccomp_of_first),
            memory_mb=1 << 20,  # each child has its own, by its task
            processes=PROCESSES,
            open_files=OPEN_FILES,
            keep=confine.mounted_below("/tmp"),  # noqa: S108
        )
    )


class Zygote:
    def __init__(self, scratch: str, streams: Streams, box: confine.Confinement) -> None:
        self._scratch, self._streams, self._box = scratch, streams, box
        self._context: Optional[ContextHolder] = None

    def serve(self) -> None:
        """Until the runner goes away or tells this process to leave."""
        while True:
            try:
                name, body = unpack(frames.read_frame(self._streams.requests))
            except frames.Broken:
                return
            if name == LEAVE:
                return
            if name == GROW:
                self._grow(json.loads(body)["libraries"])
            elif name == CONTEXT:
                self._hold(frames.receive_into_file(self._streams.requests))
            elif name == JUDGE:
                payload = frames.receive_into_file(self._streams.requests)
                self._judge(json.loads(body), payload)
                os.close(payload)

    def _judge(self, judge: JudgeRequest, payload: int) -> None:
        problem = unusable(judge["limits"])
        if problem:
            self._streams.send(FAILED, {"reason": problem})
            return
        if not judge["fork_per_test"]:
            self._supervise(judge, payload)
            return
        forget_harness()  # here, so that no child has to
        way = WorkerPerTest if judge["apart"] else ForkPerTest
        try:
            way(judge, payload, self._scratch, self._streams, self._box).run()
        except NotEntered as error:
            self._streams.send(FAILED, {"reason": str(error)})

    def _supervise(self, judge: JudgeRequest, payload: int) -> None:
        """Forks a supervisor, which reads the payload and answers the runner itself."""
        pid = self._box.fork()
        if pid == 0:
            self._enter(judge)
            with last_act():
                _supervise(judge, _taken(payload), self._scratch, self._streams)
        # It keeps the candidate's time itself; below that, the runner does, which ends all of this.
        _, status = os.waitpid(pid, 0)
        if os.waitstatus_to_exitcode(status) == _NOT_ENTERED:
            self._streams.send(FAILED, {"reason": "a process could not be confined"})
        elif status:
            why = f"the supervisor of the candidate ended with wait status {status}"
            crashed = {"ending": "crashed", "reason": why, "results": [], "suspect": True}
            self._streams.send(JUDGED, crashed)

    def _enter(self, judge: JudgeRequest) -> None:
        try:
            self._box.enter(own_network=judge["own_network"])
        except BaseException:
            traceback.print_exc()
            os._exit(_NOT_ENTERED)  # lest a half confined child goes on as the zygote

    def _grow(self, libraries: List[str]) -> None:
        """Imports more libraries in a fork, which serves in this place until it is to leave."""

        def serve() -> None:
            import_libraries(libraries)
            gc.freeze()  # garbage included: to look for it takes longer than it would save
            self._streams.send(READY)
            self.serve()

        if _in_fork(serve) != _LEFT:
            os._exit(1)  # the runner sees that, and starts another

    def _hold(self, payload: int) -> None:
        """Runs a notebook's context in a fork, which serves in this place until it is to leave."""
        if self._context is not None:
            self._extend(_taken(payload))
            return

        def serve() -> None:
            context = _taken(payload)
            self._context = ContextHolder(self._scratch)
            if self._extend(context):
                self.serve()

        status = _in_fork(serve)
        os.close(payload)
        if status != _LEFT:
            problem = f"its process ended with status {status}"
            ended = {"problem": problem, "killed": status == -signal.SIGKILL}
            self._streams.send(CONTEXT_READY, ended)

    def _extend(self, context: bytes) -> bool:
        assert self._context is not None
        reply = self._context.extend(json.loads(context))
        self._streams.send(CONTEXT_READY, reply)
        return not reply


def _supervise(judge: JudgeRequest, payload: bytes, scratch: str, streams: Streams) -> None:
    """All that a supervisor does: judges one candidate, and sends one report."""
    began = time.monotonic()
    work: Work = json.loads(payload)
    budget = Budget(judge["limits"]["total_seconds"], root=os.getpid())
    if judge["apart"]:
        printed = Relay(work, scratch, streams, budget).run()
        streams.send_with_payload(FINISHED, _used(began), printed)
    else:
        report = SUPERVISORS[judge["style"]](work, scratch, budget).judge()
        streams.send(JUDGED, {**report, **_used(began)})


def _used(began: float) -> Dict[str, float]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"seconds": time.monotonic() - began, "cpu_seconds": sum(map(cpu_of, used))}


def _taken(payload: int) -> bytes:
    """Reads a payload; only for a process that forks no other candidate."""
    content = os.pread(payload, os.fstat(payload).st_size, 0)
    os.close(payload)
    return content


def _in_fork(serve: Callable[[], None]) -> int:
    """The exit code of a fork that serves in the place of this process."""
    pid = single_fork()
    if pid == 0:
        with last_act(_LEFT):
            serve()
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)
