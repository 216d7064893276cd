"""Messages to and from the Java side; com.polyassay.wire has the other half."""

import struct
from collections.abc import Iterable, Mapping
from typing import Self


class Message:
    """Writes one message: numbers big-endian, texts and bytes with their length before them."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def number(self, value: int) -> Self:
        self._parts.append(struct.pack(">i", value))
        return self

    def flag(self, value: bool) -> Self:
        self._parts.append(bytes([value]))
        return self

    def blob(self, value: bytes) -> Self:
        self.number(len(value))
        self._parts.append(value)
        return self

    def text(self, value: str) -> Self:
        # A lone surrogate cannot be sent; javac would refuse it as well.
        return self.blob(value.encode("utf-8", "replace"))

    def texts(self, values: Iterable[str]) -> Self:
        values = list(values)
        self.number(len(values))
        for value in values:
            self.text(value)
        return self

    def blobs(self, values: Mapping[str, bytes]) -> Self:
        self.number(len(values))
        for name, value in values.items():
            self.text(name).blob(value)
        return self

    def encoded(self) -> bytes:
        return b"".join(self._parts)


class Malformed(Exception):
    """A message that the Java side cannot have written: a candidate's, then."""


class MessageReader:
    """Reads a message; trusts nothing of it, because a candidate may have written it."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._position = 0

    def number(self) -> int:
        return int(struct.unpack(">i", self._take(4))[0])

    def real(self) -> float:
        return float(struct.unpack(">d", self._take(8))[0])

    def flag(self) -> bool:
        return self._take(1) != b"\0"

    def blob(self) -> bytes:
        return self._take(self.number())

    def text(self) -> str:
        return self.blob().decode("utf-8", "replace")

    def texts(self) -> list[str]:
        return [self.text() for _ in range(self._count())]

    def blobs(self) -> dict[str, bytes]:
        return {self.text(): self.blob() for _ in range(self._count())}

    def _count(self) -> int:
        count = self.number()
        if not 0 <= count <= len(self._message):
            raise Malformed(f"sent a count of {count}")
        return count

    def _take(self, length: int) -> bytes:
        end = self._position + length
        if length < 0 or end > len(self._message):
            raise Malformed(
                f"sent a length of {length} at {self._position} of {len(self._message)}"
            )
        taken = self._message[self._position : end]
        self._position = end
        return taken
