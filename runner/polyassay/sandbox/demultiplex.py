"""A guest's three streams over the one socket that the Docker engine gives."""

import struct
from typing import Any

_HEADER = struct.Struct(">BxxxI")  # the stream, and how many bytes of it follow
_STDOUT = 1


class Demultiplexer:
    """Tells standard output and standard error apart, however the pieces were cut."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._stream = 0
        self._left = 0  # bytes of the current piece still to come

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        out, err = bytearray(), bytearray()
        self._rest += data
        while self._rest:
            if not self._left:
                if len(self._rest) < _HEADER.size:
                    break
                self._stream, self._left = _HEADER.unpack_from(self._rest)
                del self._rest[: _HEADER.size]
            piece = self._rest[: self._left]
            del self._rest[: len(piece)]
            self._left -= len(piece)
            (out if self._stream == _STDOUT else err).extend(piece)
        return bytes(out), bytes(err)


class AttachedSocket:
    def __init__(self, attached: Any) -> None:
        self._attached = attached  # the SDK's file object, which keeps the connection alive
        self._socket = attached._sock
        self._socket.setblocking(False)
        self._demultiplexer = Demultiplexer()
        self.inward: int = self._socket.fileno()
        self.outward = [self.inward]

    def parted(self, descriptor: int, data: bytes) -> tuple[bytes, bytes]:
        if not data:
            self.outward.remove(descriptor)
        return self._demultiplexer.feed(data)

    @property
    def talking(self) -> bool:
        return bool(self.outward)

    def close(self) -> None:
        self._socket.close()
        self._attached.close()
