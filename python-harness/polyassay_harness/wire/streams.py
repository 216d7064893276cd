"""The two ends of a process that talks with the runner over standard input and output."""

import os
from typing import NamedTuple

from polyassay_harness.wire import frames, messages


class Streams(NamedTuple):
    """Descriptors of what comes from the runner and what goes to it."""

    requests: int
    replies: int

    def send(self, name: str, body: messages.Body = b"") -> None:
        frames.write_frame(self.replies, messages.pack(name, body))

    def send_with_payload(self, name: str, body: messages.Body, payload: bytes) -> None:
        self.send(name, body)
        frames.write_frame(self.replies, payload)


def take_streams() -> Streams:
    """Keeps the descriptors from whatever prints or reads."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return Streams(requests, replies)
