"""What is to be asked: every task, prompt language and sample that has no answer yet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile, AnswerKey
from polyassay.generate.fingerprint import differences, fingerprint, shape_of
from polyassay.generate.replies import Question, Tokens, cost_of
from polyassay.generate.tools import Tool
from polyassay.model import Suite, Task
from polyassay.prompts import Prompt

CHARACTERS_A_TOKEN = 4  # an estimate, for what is only planned
Render = Callable[[Task, str], Prompt]  # a task in a prompt language


@dataclass(frozen=True, slots=True)
class AskingPlan:
    questions: tuple[Question, ...]  # each with the samples that are missing
    wanted: int  # answers, those that exist included
    present: int
    others: int = 0  # answers of the file that this plan does not ask for
    kept: tuple[Mapping[str, Any], ...] = ()  # lines of first tries that need no second one

    @property
    def missing(self) -> int:
        return sum(len(question.samples) for question in self.questions)


@dataclass(frozen=True, slots=True)
class AskingEstimate:
    """What is still to be asked; estimated, because only a server counts tokens."""

    requests: int
    answers: int
    input_tokens: int
    output_tokens: int | None  # at most; unknown without a limit
    cost: float | None
    currency: str = ""


def make_plan(
    tool: Tool,
    suites: Mapping[str, Suite],
    languages: Callable[[Task], Sequence[str]],
    render: Render,
    samples: int,
    file: AnswerFile | None,
) -> AskingPlan:
    """Refuses to go on with a file whose answers were asked for otherwise."""
    present = dict(file.answers) if file else {}
    questions, wanted, found = [], 0, 0
    for task in (task for suite in suites.values() for task in suite.tasks):
        for language in languages(task):
            question = Question(task, render(task, language), language, tuple(range(samples)))
            wanted += samples
            missing = unanswered(tool, question, present, file)
            found += samples - len(missing)
            if missing:
                questions.append(replace(question, samples=missing))
    return AskingPlan(tuple(questions), wanted, found, len(present))


def unanswered(
    tool: Tool,
    question: Question,
    present: dict[AnswerKey, Mapping[str, Any]],
    file: AnswerFile | None,
) -> tuple[int, ...]:
    """The samples that no answer of the file is for; those that it has are taken from `present`."""
    missing = []
    for sample in question.samples:
        key = AnswerKey(question.task.suite, question.task.id, question.prompt_language, sample)
        origin = present.pop(key, None)
        if origin is None:
            missing.append(sample)
            continue
        shape = shape_of(tool, question, sample)
        if origin.get("fingerprint") != fingerprint(shape):
            assert file is not None
            _refuse(tool, question, origin.get("shape", {}), shape, file)
    return tuple(missing)


def _refuse(
    tool: Tool,
    question: Question,
    before: Mapping[str, object],
    now: Mapping[str, object],
    file: AnswerFile,
) -> None:
    changed = "; ".join(differences(before, now)) or "its record is incomplete"
    raise PolyAssayError(
        f'{file.path} holds answers of "{tool.name}" that were asked for otherwise '
        f"(task {question.task.id}): {changed}.",
        "give the tool another name or another file, or move the old answers away.",
    )


def in_requests(questions: Sequence[Question], at_once: Callable[[], int]) -> Iterator[Question]:
    """Questions as they are sent: each asks for no more samples than one request may."""
    for question in questions:
        rest = question.samples
        while rest:
            most = max(1, at_once())
            yield replace(question, samples=rest[:most])
            rest = rest[most:]


def estimated_input(question: Question) -> int:
    characters = sum(len(message.content) for message in question.prompt.messages)
    return -(-characters // CHARACTERS_A_TOKEN)


def estimate(plan: AskingPlan, tool: Tool, at_once: int) -> AskingEstimate:
    sent = list(in_requests(plan.questions, lambda: at_once))
    tokens = sum(estimated_input(question) for question in sent)
    limit = tool.values.get("max_tokens")
    output = None if limit is None else limit * plan.missing
    price = tool.price
    cost = None if output is None else cost_of(Tokens(tokens, output), price)
    return AskingEstimate(
        len(sent), plan.missing, tokens, output, cost, price.currency if price else ""
    )
