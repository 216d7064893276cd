"""Which parameters a model is sent, without those that it has refused."""

from collections.abc import Awaitable, Callable
from typing import Any

from polyassay.generate.clients.http import Refused

RENAMED = {"max_tokens": "max_completion_tokens"}  # newer chat models want the other name


class Parameters:
    """Remembers what a model refused, so that it is asked for only once."""

    def __init__(self) -> None:
        self.left_out: dict[str, None] = {}
        self._renamed: dict[str, str] = {}

    def taken(self, body: dict[str, Any]) -> dict[str, Any]:
        return {
            self._renamed.get(name, name): value
            for name, value in body.items()
            if name not in self.left_out
        }

    async def post(
        self, send: Callable[[dict[str, Any]], Awaitable[Any]], body: dict[str, Any]
    ) -> Any:
        """Sends it, and again without whatever is refused."""
        while True:
            try:
                return await send(self.taken(body))
            except Refused as refused:
                name = refused.parameter
                if name in RENAMED and name not in self._renamed:
                    self._renamed[name] = RENAMED[name]
                elif name in body:
                    self.left_out[name] = None
                else:  # refused under its other name too
                    original = next(k for k, v in RENAMED.items() if v == name)
                    self.left_out[original] = None

    @property
    def notes(self) -> tuple[str, ...]:
        renamed = (f"{old} as {new}" for old, new in self._renamed.items())
        return (*self.left_out, *(note for note in renamed if note.split()[0] not in self.left_out))
