"""Which examples and which tests a prompt shows.

`ours` leaks nothing and depends on the task alone: the same seed gives the same draw in whatever
order tasks are asked, and more of them are the same ones and some more. `published` repeats
`random.sample` after `random.seed(SEED)`, as ODEX draws: examples first, from all other rows of
the same file, which may hold the very question that is asked.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

from polyassay.model import Style, Task, Test
from polyassay.prompts.settings import ALL, PromptSettings
from polyassay.prompts.shown import without_tests

Item = TypeVar("Item")


class Drawing:
    """The draws of one prompt; examples come first."""

    def __init__(self, task: Task, language: str, settings: PromptSettings) -> None:
        self._task, self._language, self._settings = task, language, settings
        self._random = random.Random(settings.seed)  # noqa: S311 – a draw that can be repeated

    def examples(self, pool: Sequence[Task]) -> list[Task]:
        wanted = self._settings.examples
        if not wanted:
            return []
        usable = [one for one in pool if self._language in one.prompts and one.reference]
        if self._settings.drawing == "published":
            others = [one for one in usable if _key(one) != _key(self._task)]
            return self._random.sample(others, min(wanted, len(others)))
        fair = [one for one in usable if not same_question(one, self._task)]
        fair = [one for one in fair if one.language is self._task.language]
        return self._shuffled(fair, "examples")[:wanted]

    def tests(self) -> list[Test]:
        wanted, tests = self._settings.shown_tests, list(self._task.tests)
        if wanted == ALL:
            return tests
        assert isinstance(wanted, int)
        if self._settings.drawing == "published":
            return self._random.sample(tests, wanted) if wanted <= len(tests) else tests
        if self._settings.held_out_tests:
            names = held_out(self._task, wanted, self._settings.seed)
            return [test for name in names for test in tests if test.name == name]
        return self._shuffled(tests, "tests")[: max(0, wanted)]

    def _shuffled(self, items: list[Item], what: str) -> list[Item]:
        return shuffled(items, self._settings.seed, self._task, what)


def shuffled(items: Sequence[Item], seed: int, task: Task, what: str) -> list[Item]:
    """In an order that seed and task decide."""
    text = f"{what}\n{seed}\n{task.suite}\n{task.id}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    found = list(items)
    random.Random(number).shuffle(found)  # noqa: S311 – a draw that can be repeated
    return found


def held_out(task: Task, count: int, seed: int) -> list[str]:
    """The tests that prompts show and that then do not judge; at least one is left to judge.

    Of a task whose tests cannot be taken apart, none is shown.
    """
    order = shuffled([test.name for test in task.tests], seed, task, "tests")
    names = order[: max(0, min(count, len(order) - 1))]
    return names if without_tests(task, names) else []


def not_evaluated(task: Task, count: int, seed: int) -> list[str]:
    """The tests besides so many that are drawn to judge."""
    return shuffled([test.name for test in task.tests], seed, task, "evaluation")[count:]


def same_question(one: Task, other: Task) -> bool:
    """Whether the one's answer gives the other's away: the same question, text or reference."""
    return bool(set(_marks(one)) & set(_marks(other)))


def _marks(task: Task) -> Iterator[tuple[str, str]]:
    yield "task", f"{task.suite} {task.id}"
    if task.cluster:
        yield "question", task.cluster
    yield "question", f"{task.suite} {question_of(task)}"
    if task.style is Style.CELL and "/" in task.id:  # a notebook's cells build on each other
        yield "question", f"{task.suite} {task.id.rpartition('/')[0]}"
    for text in task.prompts.values():
        yield "text", " ".join(text.split())
    if task.reference:
        yield "reference", "".join(task.reference.split())


def question_of(task: Task) -> str:
    """ODEX repeats a question in several rows, which share the entry that its id gives."""
    return task.entry if task.entry.removeprefix("f_").isdecimal() else task.id


def _key(task: Task) -> tuple[str, str]:
    return task.suite, task.id
