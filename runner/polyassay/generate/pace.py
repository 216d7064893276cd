"""How many questions are on their way at once, and how many a minute.

The number adapts: each answer lets a little more through, up to the limit that was given, and a
server that asks for less (429) halves it. Where it says how long to wait, all wait.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Pace:
    def __init__(
        self,
        most: int,
        rpm: float | None = None,
        tpm: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.most = most
        self.allowed = float(min(most, 4))
        self.running = 0
        self._clock, self._sleep = clock, sleep
        self._between = 60.0 / rpm if rpm else 0.0
        self._tokens_a_second = tpm / 60.0 if tpm else 0.0
        self._next = 0.0  # when the next question may go
        self._cut = 0.0  # when the number was last halved
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def slot(self, tokens: float) -> AsyncIterator[float]:
        """Waits for its turn; gives the time at which it began."""
        async with self._freed:
            await self._freed.wait_for(lambda: self.running < max(1, int(self.allowed)))
            self.running += 1
        try:
            await self._turn(tokens)
            yield self._clock()
        finally:
            self.running -= 1
            async with self._freed:
                self._freed.notify_all()

    async def _turn(self, tokens: float) -> None:
        while True:
            now = self._clock()
            if now >= self._next:
                break
            await self._sleep(self._next - now)
        spaced = max(self._between, tokens / self._tokens_a_second if self._tokens_a_second else 0)
        if spaced:
            self._next = max(now, self._next) + spaced

    def answered(self) -> None:
        self.allowed = min(float(self.most), self.allowed + 1.0 / max(1.0, self.allowed))

    def refused(self, began: float, retry_after: float | None) -> None:
        """A 429: fewer at once, but only one cut for all that were on their way together."""
        if began >= self._cut:
            self.allowed = max(1.0, self.allowed / 2)
            self._cut = self._clock()
        if retry_after:
            self._next = max(self._next, self._clock() + retry_after)
