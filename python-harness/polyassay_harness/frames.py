"""Frames: four bytes of length, big-endian, then that many bytes.

The functions of `os` are bound here, before any candidate code could replace them.
"""

import json
import os
import select
import time
from typing import Any, Dict, Optional

_read, _write, _monotonic = os.read, os.write, time.monotonic
_dumps, _loads, _poll = json.dumps, json.loads, select.poll

LIMIT = 64 << 20


class Broken(Exception):
    """What the other side wrote is no frame."""


class Ended(Broken):
    """The stream ended between two frames or within one."""


class Late(Exception):
    """No whole frame came in time."""


def write_frame(fd: int, payload: bytes) -> None:
    data = memoryview(len(payload).to_bytes(4, "big") + payload)
    while data:
        data = data[_write(fd, data) :]


def read_frame(fd: int, deadline: Optional[float] = None, limit: int = LIMIT) -> bytes:
    """The next frame; `deadline` is a time of the monotonic clock."""
    length = int.from_bytes(_read_exactly(fd, 4, deadline), "big")
    if length > limit:
        raise Broken(f"a frame of {length} bytes")
    return _read_exactly(fd, length, deadline)


def send(fd: int, message: Dict[str, Any]) -> None:
    write_frame(fd, _dumps(message).encode())


def receive(fd: int, deadline: Optional[float] = None, limit: int = LIMIT) -> Dict[str, Any]:
    """The next frame, which must be a JSON object."""
    try:
        message = _loads(read_frame(fd, deadline, limit))
    except (ValueError, RecursionError) as error:
        raise Broken(f"a frame that is no JSON: {error}") from None
    if type(message) is not dict:
        raise Broken("a frame that is no object")
    return message


def _read_exactly(fd: int, count: int, deadline: Optional[float]) -> bytes:
    parts = []
    if deadline is not None:
        poll = _poll()
        poll.register(fd, select.POLLIN)
    while count:
        if deadline is not None:
            left = deadline - _monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise Late
        try:
            part = _read(fd, min(count, 1 << 20))
        except ConnectionError:
            part = b""
        if not part:
            raise Ended("the stream ended")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
