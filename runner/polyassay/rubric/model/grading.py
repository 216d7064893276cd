"""Asks a model about every open item of its session; what it says is kept like a person's keys."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from polyassay.errors import PolyAssayError
from polyassay.generate.replies import AskError, Client, Question
from polyassay.generate.retry import Retry
from polyassay.generate.tools import Tool
from polyassay.rubric.model.questions import prompt_for, read_answer
from polyassay.rubric.room.room import Room

UNREADABLE = "the answer does not say all that was asked"
EQUAL_ERRORS = 3  # in a row, before nothing more is asked


@dataclass(slots=True)
class ModelTally:
    scored: int = 0
    errors: Counter[str] = field(default_factory=Counter)  # items that stay open, by reason
    models: set[str] = field(default_factory=set)  # that answered


class ModelGrading:
    """One model at one desk."""

    def __init__(
        self,
        room: Room,
        tool: Tool,
        client: Client,
        on_change: Callable[[ModelTally], None] = lambda _tally: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._room, self._tool, self._client = room, tool, client
        self._on_change, self._sleep = on_change, sleep
        self._retry = Retry(tool.tries)
        self._slots = asyncio.Semaphore(tool.concurrency)
        self._in_a_row = 0
        self.tally = ModelTally()

    async def run(self) -> ModelTally:
        """Asks for all that is open; an item that failed stays open, and the same call goes on."""
        desk = self._room.desk
        open_screens = [n for n in range(len(desk.screens)) if not desk.settled(n)]
        grading = [asyncio.create_task(self._grade(number)) for number in open_screens]
        try:
            await asyncio.gather(*grading)
        finally:
            for one in grading:
                one.cancel()
            await asyncio.gather(*grading, return_exceptions=True)
        return self.tally

    async def _grade(self, screen: int) -> None:
        async with self._slots:
            problem = await self._ask(screen)
        if problem:
            self.tally.errors[problem] += 1
            self._in_a_row += 1
            if self._in_a_row >= EQUAL_ERRORS and not self.tally.scored:
                raise PolyAssayError(
                    f'"{self._tool.name}" cannot grade: {problem}.',
                    hint="Nothing was scored. See whether server, model and key are right.",
                )
        else:
            self.tally.scored += 1
            self._in_a_row = 0
        self._on_change(self.tally)

    async def _ask(self, screen: int) -> str:
        """Asks until an answer can be read; why not, where none could."""
        desk = self._room.desk
        language = desk.screens[screen][0].key.prompt_language
        problem = ""
        for attempt in range(1, self._tool.tries + 1):
            prompt = prompt_for(self._room, screen)
            question = Question(desk.task_of(screen), prompt, language, (attempt - 1,))
            try:
                reply = (await self._client.ask(question))[0]
            except AskError as error:
                problem = error.problem
                if not error.retry:
                    return problem
                if attempt < self._tool.tries:
                    await self._sleep(self._retry.wait(attempt, error.retry_after))
                continue
            self.tally.models.add(reply.model or self._tool.model)
            found = read_answer(desk, reply.text)
            if found:
                self._keep(screen, *found)
                return ""
            problem = UNREADABLE
        return problem

    def _keep(self, screen: int, keys: dict[str, str], reason: str) -> None:
        """The same events as a person's; nothing else runs in between."""
        desk = self._room.desk
        desk.show(screen)
        if reason:
            self._room.press("c", reason)
        for number, one in enumerate(desk.fields):
            desk.focus_on(number)
            desk.give(keys[one.dimension])
