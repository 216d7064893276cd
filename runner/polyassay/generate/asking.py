"""Asks what a plan wants: side by side, again where that may help, and no more than the budget."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile
from polyassay.generate.pace import Pace
from polyassay.generate.plan import AskingPlan, estimated_input, in_requests
from polyassay.generate.records import line_of
from polyassay.generate.replies import AskError, Client, Question, Reply
from polyassay.generate.retry import Retry
from polyassay.generate.tools import Tool

EQUAL_ERRORS = 3  # of the account, before the run stops


@dataclass(frozen=True, slots=True)
class AskingBudget:
    """What a file's answers may cost in all, those of earlier runs included."""

    cost: float | None = None
    tokens: float | None = None


@dataclass(slots=True)
class Tally:
    """What has happened so far."""

    answers: int = 0
    finishes: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)  # that ended a question
    retries: Counter[str] = field(default_factory=Counter)
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    unknown_tokens: int = 0  # answers without a count
    cost: float = 0.0
    unknown_cost: int = 0
    left_out: dict[str, None] = field(default_factory=dict)
    stopped: str = ""  # why nothing more was asked

    def add(self, origin: Mapping[str, Any]) -> None:
        self.answers += 1
        self.finishes[origin["finish"]] += 1
        tokens = origin["tokens"]
        if tokens["input"] is None or tokens["output"] is None:
            self.unknown_tokens += 1
        self.input_tokens += tokens["input"] or 0
        self.output_tokens += tokens["output"] or 0
        if origin["cost"] is None:
            self.unknown_cost += 1
        self.cost += origin["cost"] or 0.0
        self.left_out |= dict.fromkeys(origin.get("left_out", ()))

    def exceeds(self, budget: AskingBudget) -> str:
        if budget.cost is not None and self.cost >= budget.cost:
            return f"--max-cost {budget.cost:g} is reached"
        if budget.tokens is not None and self.input_tokens + self.output_tokens >= budget.tokens:
            return f"--max-tokens-total {budget.tokens:g} is reached"
        return ""


class Asking:
    """One tool's questions, from the first to the last."""

    def __init__(
        self,
        tool: Tool,
        client: Client,
        file: AnswerFile,
        *,
        pace: Pace | None = None,
        retry: Retry | None = None,
        budget: AskingBudget | None = None,
        on_change: Callable[[Tally], None] = lambda _tally: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        values = tool.values
        self.tool, self._client, self._file = tool, client, file
        self._pace = pace or Pace(tool.concurrency, values.get("rpm"), values.get("tpm"))
        self._retry = retry or Retry(tool.tries)
        self._budget = budget or AskingBudget()
        self._on_change, self._sleep = on_change, sleep
        self.tally = Tally()
        self._spent = Tally()
        for origin in file.origins():
            self._spent.add(origin)
        self._account_errors: Counter[str] = Counter()

    async def run(self, plan: AskingPlan) -> Tally:
        """Asks all; returns what happened. A question that failed has no answer."""
        waiting = in_requests(plan.questions, lambda: self._client.at_once)
        asking = [asyncio.create_task(self._work(waiting)) for _ in range(self._pace.most)]
        try:
            await asyncio.gather(*asking)
        finally:
            for one in asking:
                one.cancel()
            for one in asking:
                with suppress(asyncio.CancelledError, PolyAssayError):
                    await one
        return self.tally

    async def _work(self, waiting: Iterator[Question]) -> None:
        while not self.tally.stopped:
            question = next(waiting, None)
            if question is None:
                return
            while question is not None and not self.tally.stopped:
                question = await self._answered(question)

    async def _answered(self, question: Question) -> Question | None:
        """Gets an answer and keeps it; what is left where a server made fewer than wanted."""
        started = time.monotonic()
        for attempt in range(1, self._retry.tries + 1):
            wait = 0.0
            async with self._pace.slot(estimated_input(question)) as began:
                if reason := self._spent.exceeds(self._budget):
                    self.tally.stopped = self.tally.stopped or reason
                if self.tally.stopped:
                    return None
                try:
                    replies = await self._client.ask(question)
                    self._keep(question, replies, attempt, time.monotonic() - began)
                    rest = question.samples[len(replies) :]
                    return _only(question, rest) if rest else None
                except AskError as error:
                    if error.busy:
                        self._pace.refused(began, error.retry_after)
                    wait = self._retry.wait(attempt, error.retry_after)
                    over = time.monotonic() + wait - started > self._retry.seconds
                    if not error.retry or attempt == self._retry.tries or over:
                        self._give_up(error)
                        return None
                    self.tally.retries[error.problem] += 1
                    self._on_change(self.tally)
            await self._sleep(wait)
        return None

    def _keep(
        self, question: Question, replies: Sequence[Reply], attempts: int, seconds: float
    ) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        lines = [
            line_of(self.tool, question, sample, reply, attempts, seconds, at)
            for sample, reply in zip(question.samples, replies, strict=False)
        ]
        self._file.add(lines)
        self._pace.answered()
        self._account_errors.clear()
        for line in lines:
            self.tally.add(line["origin"])
            self._spent.add(line["origin"])
        self._on_change(self.tally)

    def _give_up(self, error: AskError) -> None:
        """The question stays unanswered; several equal errors in a row end the run."""
        self.tally.errors[error.problem] += 1
        self._account_errors[error.problem] += 1
        self._on_change(self.tally)
        if self._account_errors[error.problem] >= EQUAL_ERRORS:
            hint = (
                error.hint or "what was answered is kept; the same command goes on with the rest."
            )
            raise PolyAssayError(f'"{self.tool.name}" cannot be asked: {error.problem}.', hint)


def _only(question: Question, samples: tuple[int, ...]) -> Question:
    return replace(question, samples=samples)
