"""A performance trick: the zygote itself supervises the processes of a candidate with few tests.

Each test has a process of its own, which loads the program for this test alone and ends with it.
So no supervisor is needed that would keep a loaded program apart from its tests. This saves two
forks, which cost more than loading the program again for each of few tests. The process is the
first of its namespaces (process/signals.py says what that means).

This process forks other candidates later, so it reads nothing that one of them sends or is sent:
the kernel moves those bytes (wire/frames.py), and the runner makes sense of them.

Gain, by `tools/bench-python --without fork_per_test`: 28 % of the CPU time together, 21 % apart
(HumanEval, standard errors 2 and 1); without it HumanEval together would miss its bar.
"""

import json
import os
import signal
import time
import traceback
from typing import Callable, Optional, Type

from polyassay_harness.process import confine
from polyassay_harness.process.budget import NO_TIME, Budget
from polyassay_harness.process.endings import Stopped, ended
from polyassay_harness.process.folders import Folder
from polyassay_harness.process.limits import cpu_of, rlimits
from polyassay_harness.wire import frames
from polyassay_harness.wire.frames import Streams
from polyassay_harness.wire.messages import FINISHED, TEST_ENDED, JudgeRequest, Work
from polyassay_harness.wire.reports import OUTPUT_BYTES, RESULT_BYTES
from polyassay_harness.worker.load import become_child
from polyassay_harness.worker.together import DID_NOT_LOAD, SingleTestChild
from polyassay_harness.worker.worker import Child

_ENTERED = b"entered"


class NotEntered(Exception):
    """A child could not be confined, or not get its files: no candidate is to blame."""


class TestProcess:
    """The process of one test, which reads the candidate's work itself."""

    __test__ = False

    def __init__(
        self,
        judge: JudgeRequest,
        work: int,
        number: int,
        kind: Type[Child],
        channel: int,
        output: int,
        place: "tuple[confine.Confinement, str]",
    ) -> None:
        box, scratch = place
        self._seconds = judge["limits"]["seconds"]
        self.wait_status, self.cpu_seconds = 0, 0.0
        self._reaped = False
        entered, theirs = os.pipe()
        limits = rlimits(judge["limits"])
        folder = Folder(scratch)
        self.pid = box.fork()
        if self.pid == 0:
            try:
                box.enter(own_network=judge["own_network"], first=True)
                alone = _work_of(work, number)
                folder.lay_out(alone["files"])
                os.chdir(folder.path)
                null = os.open(os.devnull, os.O_RDONLY)  # its own: flags and locks go with it
                os.write(theirs, _ENTERED)
                channel = become_child((null, output, output), channel, limits)
                kind(alone, channel, folder.path).run()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(theirs)
        self._entered = entered

    def expect_entered(self) -> None:
        """Raises NotEntered if the process was not confined, which comes before the program."""
        said = os.read(self._entered, len(_ENTERED))
        os.close(self._entered)
        if said != _ENTERED:
            raise NotEntered("a process could not be confined; the zygote's own output tells why")

    def stopped(self) -> Stopped:
        """How it ended, by its wait status; for one that gave no result."""
        return ended(self.wait_status, self.cpu_seconds, self._seconds)

    def end(self) -> bool:
        """Kills it and all others of its namespace; False if that was done before."""
        if self._reaped:
            return False
        os.kill(self.pid, signal.SIGKILL)
        _, self.wait_status, usage = os.wait4(self.pid, 0)
        self._reaped = True
        self.cpu_seconds = cpu_of(usage)
        return True


def _work_of(file: int, number: int) -> Work:
    """The payload's content, with the one test of this process."""
    work: Work = json.loads(os.pread(file, os.fstat(file).st_size, 0))
    work["tests"] = work["tests"][number : number + 1]
    return work


class ForkPerTest:
    """A candidate judged together; `work` is a file that only the candidate's processes read."""

    def __init__(
        self,
        judge: JudgeRequest,
        work: int,
        scratch: str,
        streams: Streams,
        box: confine.Confinement,
    ) -> None:
        self._judge, self._work = judge, work
        self.streams = streams
        self._place = (box, scratch)
        self.budget = Budget(judge["limits"]["total_seconds"])
        self._output = os.memfd_create("output")
        self._cpu_seconds = 0.0
        self._began = time.monotonic()

    def run(self) -> None:
        try:
            self._serve()
            finished = {
                "seconds": time.monotonic() - self._began,
                "cpu_seconds": self._cpu_seconds,
            }
            self.streams.send(FINISHED, finished)
            frames.send_file(self.streams.replies, self._output, OUTPUT_BYTES)
        finally:
            os.close(self._output)

    def _serve(self) -> None:
        """A process is told everything at once and left alone until it has ended."""
        for number in range(self._judge["tests"]):
            words = os.memfd_create("words")
            try:
                if self._run_test(number, words) and number == 0:
                    return
            finally:
                os.close(words)

    def _run_test(self, number: int, words: int) -> bool:
        """Whether the program did not load, by the exit code of its process."""
        stopped: Optional[Stopped] = None
        process = None
        if self.budget.used_up:
            stopped = Stopped("not_run", NO_TIME)
        else:
            process = self.start(number, SingleTestChild, words)
            # Its first word is that the program has loaded.
            self.begin_test(loaded=lambda: os.fstat(words).st_size > 0)
            try:
                self.budget.wait_for_end(process.pid)
            except Stopped as found:
                stopped = found
            self.end(process)
            process.expect_entered()
        status = process.wait_status if process else 0
        report = {
            "wait_status": status,
            "cpu_seconds": process.cpu_seconds if process else 0.0,
            "stopped": stopped.result() if stopped else None,
            "idled": bool(stopped and stopped.idled),
        }
        self.streams.send(TEST_ENDED, report)
        frames.send_file(self.streams.replies, words, RESULT_BYTES)
        return os.WIFEXITED(status) and os.WEXITSTATUS(status) == DID_NOT_LOAD

    def start(self, number: int, kind: Type[Child], channel: int) -> TestProcess:
        process = TestProcess(
            self._judge, self._work, number, kind, channel, self._output, self._place
        )
        self.budget.watch(process.pid)
        return process

    def begin_test(self, loaded: Optional[Callable[[], bool]] = None) -> None:
        self.budget.begin_test(self._judge["limits"]["seconds"], loaded)

    def end(self, process: TestProcess) -> None:
        """Ends it and counts its time, unless that was done before."""
        if process.end():
            self.budget.ended(process.cpu_seconds)
            self._cpu_seconds += process.cpu_seconds
