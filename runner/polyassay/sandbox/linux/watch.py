"""One thread that watches the limits of all guests of this process, and ends those left at exit."""

import atexit
import os
import threading
import time
from contextlib import suppress

from polyassay.sandbox.guest import FrameGuest
from polyassay.sandbox.linux.launch import end_all_setting_up

# Faster than memory was ever seen to be touched: who has room left for a second of it need not
# be looked at earlier.
_BYTES_PER_SECOND = 8 << 30
_SHORTEST = 0.01
_LONGEST = 0.25


class Watch:
    """Looks at a guest the more often, the nearer it is to its limit."""

    def __init__(self) -> None:
        self._due: dict[FrameGuest, float] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, guest: FrameGuest) -> None:
        with self._changed:
            self._due[guest] = time.monotonic() + _SHORTEST
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close_all(self) -> None:
        with self._changed:
            guests = list(self._due)
        for guest in guests:
            # A thread that was interrupted may still be at it: its pipes go away under either.
            with suppress(OSError, ValueError):
                guest.close()

    def _run(self) -> None:
        while True:
            for guest in self._wait_for_due():
                pause = self._look(guest)
                with self._changed:
                    if pause is None:
                        del self._due[guest]
                    else:
                        self._due[guest] = time.monotonic() + pause

    def _wait_for_due(self) -> list[FrameGuest]:
        with self._changed:
            while not self._due:
                self._changed.wait()
            wait = min(self._due.values()) - time.monotonic()
            if wait > 0:
                self._changed.wait(wait)
            now = time.monotonic()
            return [guest for guest, when in self._due.items() if when <= now]

    @staticmethod
    def _look(guest: FrameGuest) -> float | None:
        if guest.closed:
            return None
        room = guest.memory_bytes - guest.check().memory_bytes
        return min(max(room / _BYTES_PER_SECOND, _SHORTEST), _LONGEST)


_watch = Watch()


def watched(guest: FrameGuest) -> FrameGuest:
    """Puts the guest under the watch until it is closed."""
    _watch.add(guest)
    return guest


def _forget() -> None:
    """After a fork the guests are the parent's, and the watching thread is not there."""
    global _watch
    _watch = Watch()


def _end_all() -> None:
    """In this order, a guest that is just being set up is in one of the two lists."""
    end_all_setting_up()
    _watch.close_all()


os.register_at_fork(after_in_child=_forget)
atexit.register(_end_all)
