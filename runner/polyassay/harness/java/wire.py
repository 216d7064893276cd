"""How messages to and from the Java side are written as bytes; com.polyassay.wire does the same.

A message is its name and then its fields, in the order of its class: numbers big-endian, texts,
bytes and lists with their length before them. messages.py has the messages themselves.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

M = TypeVar("M")
Blobs = Mapping[str, bytes]  # name → bytes
Sources = Mapping[str, str]  # path → text


class Malformed(Exception):
    """A message that the Java side cannot have written, so that a candidate must have."""


@dataclass(frozen=True, slots=True)
class _FieldType:
    """How one type of field is written and read."""

    name: str  # as tests/golden/java/messages.txt calls it
    write: Callable[[list[bytes], Any], None]
    read: Callable[["_Reader"], Any]


def encode(message: object) -> bytes:
    """The bytes of a message.

    >>> encode(messages.TestStarted(b"n", "adds"))
    b'\\x00\\x00\\x00\\x0bTestStarted\\x00\\x00\\x00\\x01n\\x00\\x00\\x00\\x04adds'
    """
    parts: list[bytes] = []
    _write_text(parts, type(message).__name__)
    _write_fields(parts, message)
    return b"".join(parts)


def decode(data: bytes, *expected: type[M]) -> M:
    """The message that the bytes hold; raises Malformed where it is none of the expected ones."""
    reader = _Reader(data)
    name = reader.text()
    for kind in expected:
        if kind.__name__ == name:
            message = _read_fields(reader, kind)
            reader.end()
            return message
    raise Malformed(f"sent an unexpected message {name[:20]!r}")


def field_types(kind: type) -> dict[str, str]:
    """The fields of a message with the names of their types."""
    return {name: field.name for name, field in _types_of_fields(kind).items()}


class _Reader:
    """Takes bytes from the front; trusts none of them, because a candidate may have sent them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def take(self, length: int) -> bytes:
        end = self._position + length
        if length < 0 or end > len(self._data):
            raise Malformed(f"sent a length of {length} at {self._position} of {len(self._data)}")
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def number(self) -> int:
        return int(struct.unpack(">i", self.take(4))[0])

    def count(self) -> int:
        """A number of things of which each has at least one byte."""
        count = self.number()
        if not 0 <= count <= len(self._data):
            raise Malformed(f"sent a count of {count}")
        return count

    def blob(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        return self.blob().decode("utf-8", "replace")

    def end(self) -> None:
        if self._position != len(self._data):
            raise Malformed(f"sent {len(self._data) - self._position} bytes too many")


def _write_number(out: list[bytes], value: int) -> None:
    out.append(struct.pack(">i", value))


def _write_blob(out: list[bytes], value: bytes) -> None:
    _write_number(out, len(value))
    out.append(value)


def _write_text(out: list[bytes], value: str) -> None:
    # A lone surrogate cannot be sent; javac would refuse it as well.
    _write_blob(out, value.encode("utf-8", "replace"))


def _write_pairs(write: Callable[[list[bytes], Any], None]) -> Callable[[list[bytes], Any], None]:
    def write_all(out: list[bytes], values: Mapping[str, Any]) -> None:
        _write_number(out, len(values))
        for name, value in values.items():
            _write_text(out, name)
            write(out, value)

    return write_all


def _list_of(name: str, part: _FieldType) -> _FieldType:
    def write(out: list[bytes], values: Any) -> None:
        _write_number(out, len(values))
        for value in values:
            part.write(out, value)

    return _FieldType(name, write, lambda r: tuple(part.read(r) for _ in range(r.count())))


_TEXT = _FieldType("text", _write_text, lambda r: r.text())
_FIELD_TYPES: dict[Any, _FieldType] = {
    int: _FieldType("number", _write_number, lambda r: r.number()),
    float: _FieldType(
        "real",
        lambda out, value: out.append(struct.pack(">d", value)),
        lambda r: float(struct.unpack(">d", r.take(8))[0]),
    ),
    bool: _FieldType(
        "flag", lambda out, value: out.append(bytes([value])), lambda r: r.take(1) != b"\0"
    ),
    bytes: _FieldType("blob", _write_blob, lambda r: r.blob()),
    str: _TEXT,
    tuple[str, ...]: _list_of("texts", _TEXT),
    Blobs: _FieldType(
        "blobs",
        _write_pairs(_write_blob),
        lambda r: {r.text(): r.blob() for _ in range(r.count())},
    ),
    Sources: _FieldType(
        "sources",
        _write_pairs(_write_text),
        lambda r: {r.text(): r.text() for _ in range(r.count())},
    ),
}


_TYPES_OF_FIELDS: dict[type, dict[str, _FieldType]] = {}  # found out once for each message


def _types_of_fields(message: type) -> dict[str, _FieldType]:
    known = _TYPES_OF_FIELDS.get(message)
    if known is None:
        assert is_dataclass(message)
        hints = get_type_hints(message)
        known = {field.name: _field_type(hints[field.name]) for field in fields(message)}
        _TYPES_OF_FIELDS[message] = known
    return known


def _field_type(hint: Any) -> _FieldType:
    """How fields of this type are written; a tuple of messages is a list of their fields."""
    if hint in _FIELD_TYPES:
        return _FIELD_TYPES[hint]
    assert get_origin(hint) is tuple
    part = get_args(hint)[0]
    fields_only = _FieldType(part.__name__, _write_fields, lambda r: _read_fields(r, part))
    return _list_of(f"list of {part.__name__}", fields_only)


def _write_fields(out: list[bytes], message: object) -> None:
    for name, kind in _types_of_fields(type(message)).items():
        kind.write(out, getattr(message, name))


def _read_fields(reader: _Reader, message: type[M]) -> M:
    values = {name: kind.read(reader) for name, kind in _types_of_fields(message).items()}
    return message(**values)
