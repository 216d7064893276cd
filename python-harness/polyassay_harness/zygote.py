"""Imports a suite's libraries once, then forks for each candidate that it is sent.

Requests and replies are frames on standard input and output. A child that runs a candidate has
namespaces, limits and a scratch folder of its own; nothing that it does reaches this process.
"""

import base64
import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
import traceback
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

from polyassay_harness import confine, frames, heap
from polyassay_harness.child import forget_harness
from polyassay_harness.forks import single_fork
from polyassay_harness.limits import OPEN_FILES, PROCESSES, cpu_of, look_again
from polyassay_harness.notebook import CellSupervisor, Context
from polyassay_harness.processes import wait_until
from polyassay_harness.program import ProgramSupervisor
from polyassay_harness.pytest_style import PytestSupervisor
from polyassay_harness.signals import end_by_signals
from polyassay_harness.solo import NotEntered, SoloWork, judge_solo
from polyassay_harness.supervise import Supervisor
from polyassay_harness.testing import TestRunner, rehearse
from polyassay_harness.work import WorkSupervisor

_LEFT = 113  # the exit code of a fork that was told to leave, which no cell has by accident
_NOT_ENTERED = 114  # and of a supervisor that could not be confined
_GATHER_AFTER, _GATHER_AGAIN = 16, 256  # candidates: it takes as long as a few of them save
_GRACE = 3.0  # seconds in which a supervisor must have ended its candidate by itself
READY = {"ready": True}
SUPERVISORS: Dict[str, Any] = {
    "function": Supervisor,
    "class": Supervisor,
    "sets": Supervisor,
    "program": ProgramSupervisor,
    "pytest": PytestSupervisor,
    "cell": CellSupervisor,
}


def main(arguments: List[str]) -> None:
    """Serves for ever; the arguments are "nests" or "single", two filters, libraries."""
    nests, seccomp, seccomp_of_first, *libraries = arguments
    requests, replies = take_streams()
    scratch = os.getcwd()
    import_libraries(libraries)
    box = _confinement(seccomp, seccomp_of_first) if nests == "nests" else None
    end_by_signals()
    rehearse()
    gc.collect()
    gc.freeze()  # a collection in a child would otherwise touch, and so copy, every page
    frames.send(replies, READY)
    _serve_all(scratch, (requests, replies), box)


def _serve_all(scratch: str, streams: Tuple[int, int], box: Optional[confine.Confinement]) -> None:
    requests, replies = streams
    served, gather_at = 0, _GATHER_AFTER
    while True:
        try:
            request = _receive(requests)
        except frames.Broken:
            return
        if request["style"] == "leave":
            return
        programs = request.pop("programs", ({},))
        if box is None:  # the sandbox is made for one candidate
            confine.seal()
            _supervise({**request, **programs[0]}, scratch, requests, replies)
        elif request["style"] == "context":
            _hold(request, scratch, streams, box)
        elif request["style"] == "grow":
            _grow(request["libraries"], scratch, streams, box)
        else:
            if request.get("solo") and not request.get("apart"):
                TestRunner.compile_ahead(request)
            serve = _serve_solo if request.get("solo") else _serve
            served += len(programs)
            if served >= gather_at:
                heap.gather()
                look_again()
                gather_at += _GATHER_AGAIN
            for program in programs:
                serve({**request, **program}, scratch, streams, box)


def _receive(requests: int) -> Dict[str, Any]:
    """The next request. Who names sockets may want a port that the one before him has used."""
    frame = frames.read_frame(requests)
    request: Dict[str, Any] = json.loads(frame)
    request["own_network"] = b"socket" in frame
    return request


def _confinement(seccomp: str, seccomp_of_first: str) -> confine.Confinement:
    return confine.Confinement(
        confine.Limits(
            seccomp=base64.b64decode(seccomp),
            seccomp_of_first=base64.b64decode(seccomp_of_first),
            memory_mb=1 << 20,  # each child has its own, by its task
            processes=PROCESSES,
            open_files=OPEN_FILES,
            keep=confine.mounted_below("/tmp"),  # noqa: S108
        )
    )


@heap.keeps_stack
def import_libraries(names: List[str]) -> None:
    """Imports what can be imported; of the rest, candidates will hear when they try."""
    gc.disable()  # nothing of a library is garbage, and to look for it takes a tenth of the time
    with heap.together():
        for name in names:
            known = name in sys.modules
            with contextlib.suppress(Exception):
                module = importlib.import_module(name)
                if name == "matplotlib.pyplot" and not known:
                    _plot_once(module)
    gc.enable()


def _plot_once(pyplot: Any) -> None:
    """What the first axes find out, all others use.

    Without pyplot's own doing, which would settle on a backend that a program may still choose.
    """
    pyplot.Figure().subplots()


def take_streams() -> Tuple[int, int]:
    """Keeps the frames' descriptors from whatever prints or reads."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return requests, replies


def _serve_solo(
    request: Dict[str, Any], scratch: str, streams: Tuple[int, int], box: confine.Confinement
) -> None:
    started = time.monotonic()
    forget_harness()  # here, so that no child has to
    try:
        if request.get("apart"):
            reply = SoloWork(request, scratch, streams, box).run()
        else:
            reply = judge_solo(request, scratch, box)
    except NotEntered as error:
        reply = {"failed": str(error)}
    reply["seconds"] = time.monotonic() - started
    frames.send(streams[1], reply)


def _serve(
    request: Dict[str, Any], scratch: str, streams: Tuple[int, int], box: confine.Confinement
) -> None:
    pid = box.fork()
    if pid == 0:
        _enter(box, request)
        _supervise(request, scratch, *streams)
    deadline = time.monotonic() + request["limits"]["total_seconds"] + _GRACE
    if not wait_until(pid, deadline):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if os.waitstatus_to_exitcode(status) == _NOT_ENTERED:
        frames.send(streams[1], {"failed": "a process could not be confined"})
    elif status:
        why = f"the supervisor of the candidate ended with wait status {status}"
        frames.send(streams[1], {"ending": "crashed", "reason": why, "results": []})


def _grow(
    libraries: List[str], scratch: str, streams: Tuple[int, int], box: confine.Confinement
) -> None:
    """Imports more libraries in a fork, which serves in this place until it is told to leave."""

    def serve() -> None:
        import_libraries(libraries)
        gc.freeze()  # garbage included: to look for it takes longer than it would save
        frames.send(streams[1], READY)
        _serve_all(scratch, streams, box)

    if _in_fork(serve) != _LEFT:
        os._exit(1)  # the runner sees that, and starts another


def _hold(
    request: Dict[str, Any], scratch: str, streams: Tuple[int, int], box: confine.Confinement
) -> None:
    """Runs a notebook's context in a fork, which serves in this place until it is told to leave."""

    def serve(request: Dict[str, Any] = request) -> None:
        context = Context(scratch, request["files"])
        while request["style"] != "leave":
            if request["style"] == "context":
                reply = context.extend(request["cells"])
                frames.send(streams[1], reply)
                if "ready" not in reply:
                    return
            else:
                _serve(request, scratch, streams, box)
            request = _receive(streams[0])

    status = _in_fork(serve)
    if status != _LEFT:
        problem = f"its process ended with status {status}"
        frames.send(streams[1], {"problem": problem})


def _in_fork(serve: Callable[[], None]) -> int:
    """The exit code of a fork that serves in the place of this process."""
    pid = single_fork()
    if pid == 0:
        try:
            serve()
            os._exit(_LEFT)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _enter(box: confine.Confinement, request: Dict[str, Any]) -> None:
    try:
        box.enter(own_network=request["own_network"])
    except BaseException:
        traceback.print_exc()
        os._exit(_NOT_ENTERED)  # lest a half confined child goes on as the zygote


def _supervise(request: Dict[str, Any], scratch: str, requests: int, replies: int) -> NoReturn:
    """Judges one candidate; whether status 0 is left behind tells that a reply was sent."""
    try:
        started = time.monotonic()
        if request.get("apart"):
            reply = WorkSupervisor(request, scratch, requests, replies).run()
        else:
            reply = SUPERVISORS[request["style"]](request, scratch).judge()
        reply["seconds"] = time.monotonic() - started
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        reply["cpu_seconds"] = sum(map(cpu_of, used))
        frames.send(replies, reply)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)
