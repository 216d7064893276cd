"""Frames: four bytes of length, big-endian, then that many bytes.

The functions of `os` are bound here, before any candidate code could replace them.
"""

import json
import os
import struct
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from polyassay_harness.wire import messages

LENGTH = struct.Struct(">I")  # the runner's sandbox/guest.py uses the same
LIMIT = 64 << 20

Wait = Callable[[int], None]

_read, _write = os.read, os.write
_dumps, _loads = json.dumps, json.loads
_pack_length, _length_bytes = LENGTH.pack, LENGTH.size


class Broken(Exception):
    """What the other side wrote is no frame."""


class Ended(Broken):
    """The stream ended between two frames or within one."""


def write_frame(fd: int, payload: bytes) -> None:
    write_all(fd, _pack_length(len(payload)) + payload)


def write_all(fd: int, content: bytes) -> None:
    data = memoryview(content)
    while data:
        data = data[_write(fd, data) :]


def read_frame(fd: int, wait: Optional[Wait] = None, limit: int = LIMIT) -> bytes:
    """The next frame; `wait` returns when something can be read, or raises."""
    return _read_exactly(fd, read_length(fd, wait, limit), wait)


def read_length(fd: int, wait: Optional[Wait] = None, limit: int = LIMIT) -> int:
    """How long the next frame is, for a caller that takes its content in another way."""
    length = int.from_bytes(_read_exactly(fd, _length_bytes, wait), "big")
    if length > limit:
        raise Broken(f"a frame of {length} bytes")
    return length


def send(fd: int, message: Mapping[str, Any]) -> None:
    write_frame(fd, _dumps(message).encode())


def receive(fd: int, wait: Optional[Wait] = None, limit: int = LIMIT) -> Dict[str, Any]:
    """The next frame, which must be a JSON object."""
    return parse(read_frame(fd, wait, limit))


def parse(frame: bytes) -> Dict[str, Any]:
    """The JSON object that a frame holds; raises Broken where it holds something else."""
    try:
        message = _loads(frame)
    except (ValueError, RecursionError) as error:
        raise Broken(f"a frame that is no JSON: {error}") from None
    if type(message) is not dict:
        raise Broken("a frame that is no object")
    return message


def _read_exactly(fd: int, count: int, wait: Optional[Wait]) -> bytes:
    parts = []
    while count:
        if wait is not None:
            wait(fd)
        try:
            part = _read(fd, min(count, 1 << 20))
        except ConnectionError:
            part = b""
        if not part:
            raise Ended("the stream ended")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


class Streams(NamedTuple):
    """Descriptors of what comes from the runner and what goes to it."""

    requests: int
    replies: int

    def send(self, name: str, body: messages.Body = b"") -> None:
        write_frame(self.replies, messages.pack(name, body))

    def send_with_payload(self, name: str, body: messages.Body, payload: bytes) -> None:
        self.send(name, body)
        write_frame(self.replies, payload)

    def call(self, payload: bytes) -> Tuple[str, bytes]:
        """What comes of a call of the candidate's: the name and the body of a message."""
        self.send(messages.CALL, payload)
        return messages.unpack(read_frame(self.requests))


def take_streams() -> Streams:
    """Keeps the descriptors from whatever prints or reads."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return Streams(requests, replies)
