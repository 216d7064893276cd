"""Second tries: a tool is asked again, with the tests' output, what it got wrong at first.

The answers are those of a tool of their own, NAME[tries:2], so that its score is aider's
pass_rate_2 and is never mixed with single tries: an answer that passed stays, and each other one
is answered again in the same conversation.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile, AnswerKey
from polyassay.generate.plan import AskingPlan, unanswered
from polyassay.generate.replies import Question
from polyassay.generate.tools import Tool
from polyassay.model import AnswerForm, Candidate, Outcome, Suite, Task, TestStatus, Verdict
from polyassay.prompts import Message, Prompt, continued

TRIES = "tries:2"
VIAS = ("openai", "anthropic", "command")  # that can be told what they said before
MOST = 8000  # characters of the tests' output
ASKED = (
    "The tests found errors:\n\n{output}\n\n"
    "The tests are right. Correct the code, and answer with all of it again."
)
_UNKNOWN = {"finish": "complete", "tokens": {"input": None, "output": None}, "cost": None}


@dataclass(frozen=True, slots=True)
class FirstTry:
    """An answer, and what the tests said of it."""

    candidate: Candidate
    verdict: Verdict

    @property
    def stands(self) -> bool:
        """Whether there is nothing to correct, or nothing that the tool could correct."""
        outcome = self.verdict.outcome
        return outcome is Outcome.PASSED or not outcome.counts


def second_name(tool: str) -> str:
    """NAME[tries:2]; a variant's settings come first."""
    return f"{tool[:-1]},{TRIES}]" if tool.endswith("]") else f"{tool}[{TRIES}]"


def second_plan(
    tool: Tool,
    suites: Mapping[str, Suite],
    render: Callable[[Task, str], Prompt],
    firsts: Sequence[FirstTry],
    file: AnswerFile | None,
) -> AskingPlan:
    """What stays of the first tries, and what is asked again; goes on with a file."""
    if tool.via not in VIAS:
        raise PolyAssayError(
            f"A tool via {tool.via} cannot be told what it answered before.",
            f"second tries are for tools via {', '.join(VIAS)}.",
        )
    present = dict(file.answers) if file else {}
    before = len(present)
    tasks = {(name, task.id): task for name, suite in suites.items() for task in suite.tasks}
    questions, kept = [], []
    for first in firsts:
        key = first.candidate.key
        task = tasks[key.suite, key.task]
        if first.stands:
            kept += _kept(tool, first, present, file)
            continue
        prompt = _second_prompt(render(task, key.prompt_language), first)
        origin = first.candidate.origin or _UNKNOWN
        question = Question(task, prompt, key.prompt_language, (key.sample,), origin)
        if unanswered(tool, question, present, file):
            questions.append(question)
    found = before - len(present)
    return AskingPlan(tuple(questions), len(firsts), found, len(present), tuple(kept))


def _second_prompt(prompt: Prompt, first: FirstTry) -> Prompt:
    asked = (first.candidate.origin or {}).get("prompt_sha256", prompt.hash)
    if asked != prompt.hash:
        raise PolyAssayError(
            f"The first answer to {first.candidate.key.task} was asked for with another prompt.",
            "give the template and settings of the first tries.",
        )
    said = Message("assistant", first.candidate.answer)
    return continued(prompt, said, Message("user", ASKED.format(output=output_of(first.verdict))))


def output_of(verdict: Verdict) -> str:
    """What went wrong, test by test, up to a limit."""
    lines = [verdict.reason] if verdict.reason else []
    for test in verdict.tests:
        if test.status not in (TestStatus.PASSED, TestStatus.NOT_RUN):
            lines.append(f"{test.name} {test.status}: {test.message}".rstrip(": "))
    text = "\n".join(lines) or str(verdict.outcome)
    return text if len(text) <= MOST else text[:MOST] + "\n…"


def _kept(
    tool: Tool,
    first: FirstTry,
    present: dict[AnswerKey, Mapping[str, Any]],
    file: AnswerFile | None,
) -> list[dict[str, Any]]:
    """The line of a first try that stands; none where the file has it."""
    candidate, key = first.candidate, first.candidate.key
    known = hashlib.sha256(candidate.answer.encode()).hexdigest()
    origin = present.pop(AnswerKey(key.suite, key.task, key.prompt_language, key.sample), None)
    if origin is not None:
        if origin.get("first_sha256") != known:
            assert file is not None
            raise PolyAssayError(
                f"{file.path} follows other first tries (task {key.task}).",
                "name another file, or the run that it follows.",
            )
        return []
    line = {
        "suite": key.suite,
        "task": key.task,
        "tool": tool.name,
        "sample": key.sample,
        "prompt_language": key.prompt_language,
        "answer": candidate.answer,
    }
    if candidate.form is AnswerForm.FILES:
        line |= {"answer": "", "files": dict(candidate.files)}
    elif candidate.form is not AnswerForm.ANSWER:
        line["form"] = str(candidate.form)
    found = candidate.origin or _UNKNOWN
    return [line | {"origin": {**found, "tries": 1, "first_sha256": known}}]
