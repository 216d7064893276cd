"""A model at a desk: what it is asked again, what stays open, and when nothing more is asked."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from polyassay.errors import PolyAssayError
from polyassay.generate.replies import AskError, Finish, Question, Reply
from polyassay.generate.tools import Tool
from polyassay.rubric.model.grading import UNREADABLE, ModelGrading
from polyassay.rubric.sheets import scores
from unit.test_grading import Log
from unit.test_grading_room import scoring

GOOD = json.dumps({"reason": "short", "correctness": 4, "quality": 2, "maintainability": 5})
BARE = json.dumps({"correctness": 1, "quality": 1, "maintainability": 1})
GRADER = Tool("judge", "openai", {"model": "tiny"}, concurrency=1, tries=3)


class Script:
    """Answers in the order in which it was told to; the last one for ever."""

    def __init__(self, *replies: str | AskError) -> None:
        self._replies: Iterator[str | AskError] = iter(replies)
        self._last: str | AskError = ""
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> list[Reply]:
        self.asked.append(question)
        self._last = next(self._replies, self._last)
        if isinstance(self._last, AskError):
            raise self._last
        return [Reply(self._last, Finish.COMPLETE, model="tiny-1" if len(self.asked) > 1 else "")]


def grade(script: Script, tool: Tool = GRADER) -> tuple[ModelGrading, Log, list[float]]:
    log = Log()
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    grading = ModelGrading(scoring(log), tool, script, sleep=sleep)  # type: ignore[arg-type]
    asyncio.run(grading.run())
    return grading, log, waited


def test_every_open_item_is_scored_as_a_person_would() -> None:
    grading, log, _ = grade(Script(GOOD, BARE))
    assert (grading.tally.scored, dict(grading.tally.errors)) == (4, {})
    assert grading.tally.models == {"tiny", "tiny-1"}
    found = scores(log.events)
    assert len(found) == 12
    assert "short" in {score.comment for score in found}


def test_what_cannot_be_read_is_asked_again_with_another_number() -> None:
    script = Script("I would rather not say.", '{"correctness": 9}', GOOD)
    grading, _, _ = grade(script)
    assert grading.tally.scored == 4
    assert [question.samples for question in script.asked[:4]] == [(0,), (1,), (2,), (0,)]


def test_a_server_that_is_busy_is_waited_for() -> None:
    busy = AskError("the server is busy", retry=True, retry_after=7.0)
    grading, _, waited = grade(Script(busy, GOOD))
    assert grading.tally.scored == 4
    assert len(waited) == 1
    assert waited[0] >= 7.0


def test_an_item_that_failed_stays_open_and_the_others_go_on() -> None:
    grading, log, _ = grade(Script(GOOD, AskError("the prompt is too long", retry=False), GOOD))
    assert (grading.tally.scored, dict(grading.tally.errors)) == (3, {"the prompt is too long": 1})
    assert len(scores(log.events)) == 9


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("no", UNREADABLE),
        (AskError("the key is wrong", retry=False), "the key is wrong"),
        (AskError("busy", retry=True), "busy"),
    ],
)
def test_a_model_that_never_answers_ends_it(reply: str | AskError, problem: str) -> None:
    with pytest.raises(PolyAssayError, match=problem) as refused:
        grade(Script(reply))
    assert "Nothing was scored" in refused.value.hint
