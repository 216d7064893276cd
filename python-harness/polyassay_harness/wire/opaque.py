"""Moves bytes between descriptors without ever holding them in this process.

A zygote forks candidates, and a fork finds in its memory whatever its parent has read, long after
it was freed. So a zygote reads the length of an answer, a test or a result, and has the kernel
move the bytes themselves.
"""

import ctypes
import fcntl
import os
import struct
import termios
from typing import Optional

from polyassay_harness.wire import frames

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
    left = frames.read_length(pipe)
    file = os.memfd_create("frame")
    while left:
        left -= _moved(pipe, file, left)
    return file


def discard(pipe: int, count: Optional[int] = None) -> None:
    """Throws away the next frame, or that many bytes."""
    left = frames.read_length(pipe) if count is None else count
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
    os.write(pipe, frames.LENGTH.pack(count))
    done = 0
    while done < count:
        done += os.sendfile(pipe, file, done, count - done)


def pass_on(pipe: int, socket: int, wait: frames.Wait) -> None:
    """Moves the next frame from the pipe to the socket; raises Lost where that does not take it.

    `wait` returns when the socket can be written to, or raises.
    """
    left = frames.read_length(pipe)
    try:
        frames.write_all(socket, frames.LENGTH.pack(left))
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
    frames.write_all(pipe, frames.LENGTH.pack(count))
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
