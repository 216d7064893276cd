"""Slots that are processes of this machine, each a fresh interpreter.

The calling process schedules, stores and shows progress; it waits for nothing but its slots'
messages. Nothing outlives it: a slot ends when its connection does, however that came about.
"""

import json
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Pipe

from polyassay.dispatch import SlotMaker
from polyassay.dispatch.assignments import BATCHES_AHEAD, Assignments
from polyassay.dispatch.messages import Done, Failed, Open, Packer, Ready
from polyassay.dispatch.scheduling import Batch, Schedule
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Verdict

CLOSE_SECONDS = 60.0  # for a slot to close its sessions
END_SECONDS = 10.0  # for a slot to end its guests when the run breaks off
_LAST_WORDS = 2000  # characters of what a lost slot printed
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from polyassay.dispatch.slot_process import serve; serve(int(sys.argv[2]))"
)


class _SlotProcess:
    """The parent's end of one slot."""

    def __init__(self, number: int, open_slot: SlotMaker, settings: RunSettings) -> None:
        self.number = number
        self.ready = False
        self._waiting: list[Batch] = []  # until it is ready, because it does not read before
        self._packer = Packer()
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        self.connection, theirs = Pipe()
        with theirs:
            descriptor = theirs.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path), str(descriptor)],
                stdin=subprocess.DEVNULL,
                stdout=self._printed,
                stderr=self._printed,
                pass_fds=(descriptor,),
                start_new_session=True,  # an interrupt at the keyboard is the parent's to handle
            )
        self._tell(Open(open_slot, settings))

    def send(self, batch: Batch) -> None:
        if self.ready:
            self._tell(self._packer.pack(batch))
        else:
            self._waiting.append(batch)

    def receive(self) -> Ready | Done | Failed:
        """The next message; raises EOFError where the slot is gone."""
        try:
            message: Ready | Done | Failed = self.connection.recv()
        except OSError as error:
            raise EOFError from error
        if isinstance(message, Ready):
            self.ready = True
            waiting, self._waiting = self._waiting, []
            for batch in waiting:
                self.send(batch)
        return message

    def stop(self) -> None:
        """Tells it to close its sessions and to end."""
        self._tell(None)

    def wait_until_closed(self) -> None:
        """Raises what went wrong with that."""
        with suppress(EOFError):
            if self.connection.poll(CLOSE_SECONDS):
                message = self.receive()
                if isinstance(message, Failed):
                    raise message.again()

    def end(self, deadline: float) -> str:
        """Says how it ended, after the deadline at the latest, and what it printed last."""
        self.connection.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(deadline - time.monotonic(), 0.0))
        self._process.kill()
        how = _describe(self._process.wait())
        with self._printed:
            self._printed.seek(0)
            printed = self._printed.read().decode("utf-8", "replace").strip()
        return f"{how}: {printed[-_LAST_WORDS:]}" if printed else how

    def _tell(self, message: object) -> None:
        with suppress(OSError):  # it is gone, which is noticed where its answer is waited for
            self.connection.send(message)


def _describe(status: int) -> str:
    if status >= 0:
        return f"the process ended with exit status {status}"
    return f"the process was killed by {signal.Signals(-status).name}"


class LocalSlots:
    """All slots, the messages that come from them, and what each is to do."""

    def __init__(self, schedule: Schedule, open_slot: SlotMaker, settings: RunSettings) -> None:
        self._assignments = Assignments(schedule)
        self._open_slot, self._settings = open_slot, settings
        self._processes: dict[int, _SlotProcess] = {}
        self._selector = selectors.DefaultSelector()
        self.error: BaseException | None = None  # of a slot, or of all

    @property
    def under_way(self) -> bool:
        return self._assignments.under_way

    def start(self) -> None:
        """Opens as many as there is work for; those that are open get more."""
        for number in self._assignments.slots:
            self._give(number, most=1)

    def receive(self, timeout: float | None) -> list[Verdict]:
        """Verdicts that have come, or come before the timeout."""
        verdicts: list[Verdict] = []
        for key, _ in self._selector.select(timeout):
            process: _SlotProcess = key.data
            try:
                message = process.receive()
            except EOFError:
                self._replace(process)
                continue
            if isinstance(message, Failed):
                self.error = message.again()
                continue
            if isinstance(message, Done):
                self._assignments.done(process.number)
                verdicts += message.verdicts
            else:
                self._assignments.started()
            self._give(process.number)
        return verdicts

    def finish(self) -> None:
        """Lets all close their sessions."""
        for process in self._processes.values():
            process.stop()
        for process in self._processes.values():
            process.wait_until_closed()

    def close(self) -> None:
        """Ends all that are left, and whatever they started."""
        for process in self._processes.values():
            process.connection.close()
        deadline = time.monotonic() + END_SECONDS
        for process in self._processes.values():
            process.end(deadline)
        self._selector.close()

    def _give(self, number: int, most: int = BATCHES_AHEAD) -> None:
        """Hands batches to a slot, which is opened for its first one."""
        for _ in range(most):
            batch = self._assignments.take(number)
            if batch is None:
                return
            if number not in self._processes:
                process = _SlotProcess(number, self._open_slot, self._settings)
                self._processes[number] = process
                self._selector.register(process.connection, selectors.EVENT_READ, process)
            self._processes[number].send(batch)

    def _replace(self, process: _SlotProcess) -> None:
        """Hands out again what a lost slot had."""
        self._selector.unregister(process.connection)
        del self._processes[process.number]
        why = process.end(time.monotonic() + END_SECONDS)
        try:
            self._assignments.lost(process.number, why, was_ready=process.ready)
        except PolyAssayError as error:
            self.error = error
            return
        self._give(process.number, most=1)
        self.start()
