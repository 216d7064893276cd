"""What is put to a tool and what comes back, whatever the way to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from polyassay.generate.tools import Price
from polyassay.model import Task
from polyassay.prompts import Prompt


class Finish(StrEnum):
    """How an answer ended; all but the first are classes of failure that scores list apart."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"  # the limit of tokens was reached
    REFUSED = "refused"
    FILTERED = "filtered"  # the provider withheld it
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Tokens:
    """As the server counts them; None is unknown, never 0."""

    input: float | None = None
    output: float | None = None
    cached: float | None = None  # part of the input
    reasoning: float | None = None  # part of the output

    @property
    def total(self) -> float | None:
        return None if self.input is None or self.output is None else self.input + self.output

    def shared(self, samples: int) -> "Tokens":
        """An equal share: a server counts a request's samples together."""
        return Tokens(
            *(_part(n, samples) for n in (self.input, self.output, self.cached, self.reasoning))
        )


def _part(number: float | None, samples: int) -> float | None:
    if number is None:
        return None
    share = number / samples
    return int(share) if share == int(share) else share


@dataclass(frozen=True, slots=True)
class Question:
    task: Task
    prompt: Prompt
    prompt_language: str
    samples: tuple[int, ...]  # the numbers that are asked for at once
    first: Mapping[str, Any] | None = None  # of a second try: the origin of the first


@dataclass(frozen=True, slots=True)
class Reply:
    """One sample's answer."""

    text: str
    finish: Finish
    finish_reason: str = ""  # in the server's word
    model: str = ""  # that answered
    tokens: Tokens = Tokens()
    raw: Any = None
    cost: float | None = None  # where the tool itself says it
    files: Mapping[str, str] | None = None  # an answer of several files
    version: str = ""
    left_out: tuple[str, ...] = ()  # parameters that the model refused
    notes: Mapping[str, Any] = field(default_factory=dict)


class AskError(Exception):
    """No answer: an error of transport, of the account, or of a command."""

    def __init__(
        self,
        problem: str,
        *,
        retry: bool,
        retry_after: float | None = None,
        busy: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.retry = retry
        self.retry_after = retry_after  # seconds
        self.busy = busy  # the server asks for fewer requests
        self.hint = hint


class Client(Protocol):
    """One way to a tool; it is told to wait, to try again and to stop by others."""

    at_once: int  # samples that one request may ask for

    async def ask(self, question: Question) -> Sequence[Reply]:
        """A reply for each of the first samples, at least one; or an AskError."""
        ...

    async def close(self) -> None: ...


def cost_of(tokens: Tokens, price: Price | None) -> float | None:
    if price is None or tokens.input is None or tokens.output is None:
        return None
    cached = tokens.cached or 0.0
    rate = price.input if price.cached is None else price.cached
    fresh = tokens.input - cached
    return (fresh * price.input + cached * rate + tokens.output * price.output) / price.per
