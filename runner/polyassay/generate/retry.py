"""When to ask again, and how long to wait before."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0


@dataclass(frozen=True, slots=True)
class Retry:
    """Bounded tries and bounded time, so that a stuck run ends."""

    tries: int = 6
    seconds: float = 900.0  # spent on waiting for one question, at most
    jitter: Callable[[], float] = field(default=random.random)

    def wait(self, failed: int, retry_after: float | None) -> float:
        """Seconds before the next try, after so many failed; what a server asks for is kept."""
        if retry_after is not None:
            return retry_after + self.jitter() * min(1.0, retry_after / 10)
        return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (failed - 1)) * (0.5 + self.jitter() / 2)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, from `retry-after-ms`, or `Retry-After` as seconds or as a date."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", milliseconds):
        return float(milliseconds) / 1000
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
