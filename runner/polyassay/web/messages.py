"""What an application is asked, and what it answers."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    method: str  # GET or POST
    path: str  # below the token, without a slash at its start
    body: Any = None  # of a POST: the JSON that was sent


@dataclass(frozen=True, slots=True)
class Response:
    body: bytes
    content_type: str
    status: int = 200


Application = Callable[[Request], Response]


def as_json(value: Any, status: int = 200) -> Response:
    """ASCII only: lone surrogates cannot break it."""
    return Response(json.dumps(value).encode("ascii"), "application/json", status)


def refusal(status: int, sentence: str) -> Response:
    return as_json({"error": sentence}, status)
