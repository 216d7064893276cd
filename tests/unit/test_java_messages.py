"""The messages to and from the JVMs; the Java side is held against the same list by its tests."""

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from polyassay.harness.java import messages
from polyassay.harness.java.wire import Malformed, decode, encode, field_types

GOLDEN = Path(__file__).parent.parent / "golden" / "java" / "messages.txt"
BETWEEN_JVMS = {"Answer", "Thrown"}  # cross the runner unread
MESSAGES = sorted(
    (
        each
        for each in vars(messages).values()
        if isinstance(each, type) and is_dataclass(each) and each is not messages.OfRequest
    ),
    key=lambda m: m.__name__,
)


def camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def sample(message: Any) -> Any:
    """A message whose fields say their own names, as the Java side's tests make it."""
    hints, types = get_type_hints(message), field_types(message)
    return message(**{f.name: value(f.name, types[f.name], hints[f.name]) for f in fields(message)})


def value(name: str, kind: str, hint: Any) -> Any:
    name = camel_case(name)
    plain = {
        "number": len(name),
        "real": len(name) + 0.5,
        "flag": True,
        "blob": name.encode(),
        "text": f"{name} é",
        "texts": (name, ""),
        "blobs": {name: b"\0\1"},
        "sources": {name: "text"},
    }
    return plain[kind] if kind in plain else (sample(get_args(hint)[0]),)


def listed() -> dict[str, tuple[str, str]]:
    """Name → fields and bytes."""
    found = re.findall(r"^(\w+)\((.*)\)\n  (\w+)$", GOLDEN.read_text(), re.MULTILINE)
    return {name: (described, data) for name, described, data in found}


def test_both_sides_know_the_same_messages() -> None:
    assert {each.__name__ for each in MESSAGES} | BETWEEN_JVMS == listed().keys()


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_have_the_fields_and_bytes_of_the_list(message: type) -> None:
    described = ", ".join(f"{camel_case(n)}: {kind}" for n, kind in field_types(message).items())
    assert (described, encode(sample(message)).hex()) == listed()[message.__name__]


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_are_read_as_they_were_written(message: type) -> None:
    assert decode(encode(sample(message)), messages.Ready, message) == sample(message)


STARTED = encode(messages.TestStarted(b"nonce", "test"))


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\0\0\0\x05ab",
        b"\xff\xff\xff\xff",
        b"\x7f\0\0\0a",
        STARTED[:-1],
        STARTED + b"\0",
        encode(messages.WorkerGone()),
    ],
)
def test_what_the_java_side_cannot_have_written_is_refused(frame: bytes) -> None:
    with pytest.raises(Malformed):
        decode(frame, messages.TestStarted, messages.TestsEnded)


def test_a_count_beyond_the_message_is_refused() -> None:
    ended = encode(messages.TestsEnded(b"", (), ""))
    forged = ended[:-8] + b"\x7f\xff\xff\xff" + ended[-4:]
    with pytest.raises(Malformed):
        decode(forged, messages.TestsEnded)


def test_half_a_character_is_sent_as_a_question_mark() -> None:
    sent = encode(messages.TestStarted(b"", "half \ud800"))
    assert decode(sent, messages.TestStarted).test == "half ?"
