"""Frames: four bytes of length, big-endian, then that many bytes.

The functions of `os` are bound here, before any candidate code could replace them.

A zygote forks candidates, and a fork finds in its memory whatever its parent has read, long after
it was freed. So a zygote reads the length of an answer, a test or a result only, and has the kernel
move the bytes themselves: see the second half of this file.
"""

import ctypes
import fcntl
import json
import os
import struct
import termios
from contextlib import suppress
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple, Union

from polyassay_harness.wire import messages

LENGTH = struct.Struct(">I")
LIMIT = 64 << 20

Wait = Callable[[int], None]

_read, _write = os.read, os.write
_dumps, _loads = json.dumps, json.loads
_pack_length, _length_bytes = LENGTH.pack, LENGTH.size


class Broken(Exception):
    """The other side wrote something that is no frame."""


class StreamEnded(Broken):
    """The stream ended between two frames or within one."""


def framed(payload: bytes) -> bytes:
    """A frame: the length in four bytes, and then the payload."""
    return _pack_length(len(payload)) + payload


def write_frame(fd: int, payload: bytes) -> None:
    write_all(fd, framed(payload))


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


def first_frame(received: Union[bytes, bytearray], limit: int = LIMIT) -> Optional[slice]:
    """Where in what was received the first frame's content is; None while it is incomplete.

    >>> first_frame(framed(b"one") + framed(b"two"))
    slice(4, 7, None)
    """
    if len(received) < _length_bytes:
        return None
    length = LENGTH.unpack_from(received)[0]
    if length > limit:
        raise Broken(f"a frame of {length} bytes")
    end = _length_bytes + length
    return slice(_length_bytes, end) if len(received) >= end else None


def whole_frames(received: bytes) -> Iterator[bytes]:
    """One content after the other, until a frame is incomplete or longer than any may be."""
    with suppress(Broken):
        while (place := first_frame(received)) is not None:
            yield received[place]
            received = received[place.stop :]


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
            raise StreamEnded("the stream ended")
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
        """The other side's answer to a call of the candidate's: a message's name and body."""
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


# From here on: frames whose content the kernel moves, so that it is never in this process.

_CHUNK = 1 << 16
_WITHOUT_BLOCKING = 2  # SPLICE_F_NONBLOCK
_splice = ctypes.CDLL(None, use_errno=True).splice
_splice.argtypes = (
    *(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p),
    *(ctypes.c_size_t, ctypes.c_uint),
)
_splice.restype = ctypes.c_ssize_t


class Lost(Exception):
    """The other end took no more, or gave no more, than a part of the frame."""


def receive_into_file(pipe: int) -> int:
    """A file in memory with the next frame's content; its descriptor is the caller's to close."""
    left = read_length(pipe)
    file = os.memfd_create("frame")
    while left:
        left -= _moved(pipe, file, left)
    return file


def discard(pipe: int, count: Optional[int] = None) -> None:
    """Throws away the next frame, or that many bytes."""
    left = read_length(pipe) if count is None else count
    if left:
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            while left:
                left -= _moved(pipe, null, left)
        finally:
            os.close(null)


def send_file(pipe: int, file: int, most: int) -> None:
    """Sends what a file holds as a frame, up to `most` bytes."""
    count = min(os.fstat(file).st_size, most)
    os.write(pipe, LENGTH.pack(count))
    done = 0
    while done < count:
        done += os.sendfile(pipe, file, done, count - done)


def pass_on(pipe: int, socket: int, wait: Wait) -> None:
    """Moves the next frame from the pipe to the socket; raises Lost where that does not take it.

    `wait` returns when the socket can be written to, or raises.
    """
    left = read_length(pipe)
    try:
        write_all(socket, LENGTH.pack(left))
        while left:
            wait(socket)
            left -= _moved(pipe, socket, left, _WITHOUT_BLOCKING)
    except BaseException as error:
        discard(pipe, left)
        if isinstance(error, OSError):
            raise Lost from None
        raise


def waiting(socket: int) -> int:
    """How many bytes have arrived that nobody has read."""
    found = fcntl.ioctl(socket, termios.FIONREAD, bytes(4))
    return int(struct.unpack("i", found)[0])


def forward(socket: int, pipe: int, count: int) -> None:
    """Sends that many bytes, which have arrived, as a frame."""
    write_all(pipe, LENGTH.pack(count))
    while count:
        count -= _moved(socket, pipe, count)


def _moved(source: int, target: int, count: int, flags: int = 0) -> int:
    moved = int(_splice(source, None, target, None, min(count, _CHUNK), flags))
    if moved < 0:
        error = ctypes.get_errno()
        if flags and error == 11:  # EAGAIN
            return 0
        raise OSError(error, os.strerror(error))
    if moved == 0:
        raise Lost
    return moved
