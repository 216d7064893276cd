"""The runner's end of a sandbox: speaks frames with a guest under hard limits, and ends it.

Every wait has a limit (patience.py), nothing is read to end-of-file, a frame's length is checked
before room is made for it, and whatever ends a guest ends all of its processes. One thread uses a
guest at a time; the watch may end it meanwhile.
"""

import os
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn, Protocol

from polyassay.sandbox import BoxLimits, Ended, Starved
from polyassay.sandbox.linux.processes import ProcessUsage
from polyassay.sandbox.patience import Patience
from polyassay_harness.process.own_time import Waits
from polyassay_harness.wire.frames import LENGTH, Broken, first_frame, framed

CHUNK = 1 << 16  # the most that is read at once
_GLANCE = 0.1  # seconds between two looks at whatever else may matter
_LEAST_SPARE_MB = 64  # for a supervisor, and for what several processes of one candidate hold
_GRACE = 0.5  # for a guest that closed its output to end by itself, so that its status is known


@dataclass(frozen=True, slots=True)
class Ending:
    how: str  # "exit status 3"
    cpu_seconds: float = 0.0  # where that can be known only now
    out_of_memory: bool = False  # the kernel ended it for that
    killed: bool = False  # it did not exit by itself


class GuestStreams(Protocol):
    """A guest's streams; none of the descriptors blocks."""

    inward: int  # the descriptor to write to
    outward: list[int]  # the descriptors to read from; one at its end is taken off

    def parted(self, descriptor: int, data: bytes) -> tuple[bytes, bytes]:
        """Splits bytes that were read into standard output and standard error; none are the end."""
        ...

    @property
    def talking(self) -> bool:
        """Whether standard output is still open."""
        ...

    def close(self) -> None:
        """Closes all descriptors."""
        ...


class ProcessTree(Protocol):
    """All processes of one sandbox."""

    def usage(self) -> ProcessUsage:
        """The memory and so on that they use now, and the CPU time that they have used so far."""
        ...

    def cpu_seconds(self) -> float:
        """The CPU time alone, which is asked for far more often than the rest of usage()."""
        ...

    def waits(self) -> Waits:
        """How long each thread was ready to run while others had the cores."""
        ...

    def over_memory(self, limit: int) -> bool:
        """Whether they use more memory than that, counted exactly; asked if usage() says so."""
        ...

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended one of them for want of memory."""
        ...

    def kill(self) -> None:
        """Sends SIGKILL to all of it; may be called at any time, by any thread."""
        ...

    def ends_within(self, seconds: float) -> bool:
        """Waits that long at most for it to end by itself."""
        ...

    def wait(self) -> Ending:
        """Returns when it is empty; called once."""
        ...


class FrameGuest:
    """A running sandbox, whatever launched it."""

    def __init__(self, streams: GuestStreams, tree: ProcessTree, limits: BoxLimits) -> None:
        self.limits = limits
        self._memory_mb = self._told_mb = limits.memory_mb
        self._streams = streams
        self._tree = tree
        self._received = bytearray()
        self._stderr = bytearray()
        self._cpu_seconds = 0.0
        self._cause: Ended | None = None
        self._closed = False
        self._lock = threading.Lock()

    def send(
        self, frame: bytes, within: float | Patience, meanwhile: Callable[[], None] | None = None
    ) -> None:
        rest = memoryview(framed(frame))
        patience = self._patience(within)
        if self._closed:
            raise self._cause or Ended("has been closed")
        while rest:
            try:
                rest = rest[os.write(self._streams.inward, rest) :]
            except BlockingIOError:
                # It reads as well, or two long frames that meet would block each other for ever.
                self._exchange(patience, writes=True)
                self._mind(meanwhile)
            except OSError:
                self._break_off("closed its input")
        patience.leave_off()

    def receive(
        self, within: float | Patience, meanwhile: Callable[[], None] | None = None
    ) -> bytes:
        patience = self._patience(within)
        while (frame := self._complete_frame()) is None:
            self._exchange(patience)
            if self._arrived() is None:
                self._mind(meanwhile)
        patience.leave_off()
        return frame

    def _patience(self, within: float | Patience) -> Patience:
        patience = within if isinstance(within, Patience) else Patience(within)
        patience.resume(self)
        return patience

    def speaks(self) -> bool:
        while not self._closed and self._streams.talking and self._arrived() is None:
            if not self._exchange(None):
                return False
        return True

    def cpu_seconds(self) -> float:
        with self._lock:
            if not self._closed:
                self._cpu_seconds = max(self._cpu_seconds, self._tree.cpu_seconds())
            return self._cpu_seconds

    def waits(self) -> Waits:
        with self._lock:
            return {} if self._closed else self._tree.waits()

    def stderr(self) -> str:
        return self._stderr.decode("utf-8", "replace")

    def close(self) -> None:
        self._finish()

    def allow_memory(self, memory_mb: int) -> None:
        with self._lock:
            if self._closed:
                return
            # Processes that are forked from now on may copy all that they share at first.
            present = 2 * self._tree.usage().memory_bytes >> 20
        more = memory_mb + max(memory_mb // 4, _LEAST_SPARE_MB)
        self._memory_mb = min(present + more, self.limits.memory_mb)
        self._told_mb = memory_mb

    def check(self) -> ProcessUsage:
        """Ends the guest where it passed a limit; called by the watch."""
        with self._lock:
            if self._closed or self._cause:
                return ProcessUsage()
            usage = self._tree.usage()
            self._cpu_seconds = max(self._cpu_seconds, usage.cpu_seconds)
            limits = self.limits
            memory = self._memory_mb << 20
            full = usage.memory_bytes > memory and self._tree.over_memory(memory)
            if full or self._tree.ran_out_of_memory():
                why = f"used more than {self._told_mb} MB of memory"
                self._cause = Ended(why, out_of_memory=True)
            elif limits.cpu_seconds is not None and self._cpu_seconds > limits.cpu_seconds:
                why = f"used more than {limits.cpu_seconds:g} s of CPU time"
                self._cause = Ended(why, timed_out=True)
            if self._cause:
                self._tree.kill()
            return usage

    @property
    def memory_bytes(self) -> int:
        """The memory that the guest may use at present."""
        return self._memory_mb << 20

    @property
    def closed(self) -> bool:
        return self._closed

    def _exchange(self, patience: Patience | None, *, writes: bool = False) -> bool:
        """Waits for the guest once, for a moment, and takes what came; tells whether anything did.

        `patience`: None where it is not waited for at all; `writes`: or until it can be written to.
        """
        if self._closed:
            raise self._cause or Ended("has been closed")
        wait = 0.0
        if patience is not None:
            self._mind(patience.check)
            wait = min(patience.pause(), _GLANCE)
        events = self._poll(writes).poll(wait * 1000)
        for descriptor, event in events:
            if event & ~select.POLLOUT and descriptor in self._streams.outward:
                self._take(descriptor)
        return bool(events)

    def _mind(self, meanwhile: Callable[[], None] | None) -> None:
        if meanwhile is not None:
            try:
                meanwhile()
            except Ended as ended:
                self._break_off(ended)
            except Starved:
                self._finish()
                raise

    def _poll(self, writes: bool) -> select.poll:
        asked = dict.fromkeys(self._streams.outward, select.POLLIN)
        if writes:
            inward = self._streams.inward  # may be one of the others
            asked[inward] = asked.get(inward, 0) | select.POLLOUT
        poll = select.poll()
        for descriptor, events in asked.items():
            poll.register(descriptor, events)
        return poll

    def _take(self, descriptor: int) -> None:
        try:
            out, err = self._read(descriptor)
        except BlockingIOError:
            return
        except OSError as error:
            self._break_off(f"broke off ({error.strerror})")
        self._received += out
        self._stderr += err[: self.limits.stderr_bytes - len(self._stderr)]
        # Frames that nobody asked for pile up only to the size of the longest that is allowed.
        if len(self._received) > self.limits.frame_bytes + LENGTH.size + CHUNK:
            self._break_off("sent more than it may")
        if not self._streams.talking and self._arrived() is None:
            self._break_off("ended")

    def _read(self, descriptor: int) -> tuple[bytes, bytes]:
        return self._streams.parted(descriptor, os.read(descriptor, CHUNK))

    def _arrived(self) -> slice | None:
        """The place of the first complete frame among the received bytes, if there is one."""
        try:
            return first_frame(self._received, self.limits.frame_bytes)
        except Broken as problem:
            self._break_off(f"sent {problem}")

    def _complete_frame(self) -> bytes | None:
        place = self._arrived()
        if place is None:
            if not self._closed and not self._streams.talking:
                self._break_off("ended")
            return None
        frame = bytes(self._received[place])
        del self._received[: place.stop]
        return frame

    def _break_off(self, why: str | Ended) -> NoReturn:
        """Kills it and raises Ended; the watch's cause, where there is one, came first."""
        if not self._streams.talking:
            self._let_end()
        ending = self._finish()
        if self._cause is None:
            if ending.out_of_memory or not isinstance(why, Ended):
                why = Ended(
                    f"{why} ({ending.how})",
                    out_of_memory=ending.out_of_memory,
                    killed=ending.killed and not ending.out_of_memory,
                )
            self._cause = why
        raise self._cause

    def _let_end(self) -> None:
        patience = Patience(_GRACE)
        patience.resume(self)
        with suppress(Ended, Starved):
            while not self._tree.ends_within(patience.pause()):
                patience.check()

    def _finish(self) -> Ending:
        with self._lock:
            if self._closed:
                return Ending("closed")
            self._cpu_seconds = max(self._cpu_seconds, self._tree.cpu_seconds())
            self._closed = True
        self._tree.kill()
        self._drain()
        # Before the wait: an engine that has more to pass on than anyone takes would never end.
        self._streams.close()
        ending = self._tree.wait()
        self._cpu_seconds = max(self._cpu_seconds, ending.cpu_seconds)
        return ending

    def _drain(self) -> None:
        """Takes the last words of a guest that was killed, for a moment at most."""
        deadline = time.monotonic() + _GRACE
        while self._streams.outward and len(self._stderr) < self.limits.stderr_bytes:
            left = deadline - time.monotonic()
            poll = select.poll()
            for descriptor in self._streams.outward:
                poll.register(descriptor, select.POLLIN)
            ready = poll.poll(left * 1000) if left > 0 else []
            if not ready:
                return
            for descriptor, _ in ready:
                try:
                    _, err = self._read(descriptor)
                except OSError:
                    return
                self._stderr += err[: self.limits.stderr_bytes - len(self._stderr)]
