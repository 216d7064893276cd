"""The prompt of one task: the one place where a template meets a task."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Task
from polyassay.prompts.drawing import Drawing
from polyassay.prompts.settings import PromptSettings
from polyassay.prompts.shown import ShownTest, shown_test
from polyassay.prompts.templates import CHAT, Template, Templates, published_for
from polyassay.prompts.views import Stem, TaskView, reference_of, stem_of, view_of

_templates = Templates()


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # system, user, assistant
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is put to a tool, and all that shaped it."""

    text: str  # all of it as one text, for tools that take no messages
    messages: tuple[Message, ...]
    settings: Mapping[str, Any]  # as recorded: also the template, drawn examples, shown tests
    hash: str  # SHA-256 of the messages
    form: AnswerForm  # how an answer is to be read
    stem: Stem  # code around a completion, where the task has no context of its own
    stop: tuple[str, ...] = ()  # sent, and cut on our side
    cut: tuple[str, ...] = ()  # cut on our side only
    suffix: str = ""  # what follows the answer, for tools that fill in the middle


def language_of(task: Task, settings: PromptSettings) -> str:
    if settings.prompt_language:
        if settings.prompt_language not in task.prompts:
            known = ", ".join(task.prompts)
            raise PolyAssayError(
                f'Task {task.id} has no prompt in "{settings.prompt_language}".',
                f"it has {known}." if known else "it has none at all.",
            )
        return settings.prompt_language
    return "en" if "en" in task.prompts else next(iter(task.prompts), "")


def render(task: Task, settings: PromptSettings, pool: Sequence[Task] = ()) -> Prompt:
    """The prompt; `pool` is what few-shot examples are drawn from."""
    examples = Drawing(task, language_of(task, settings), settings).examples(pool)
    if len(examples) < settings.examples:
        raise PolyAssayError(
            f"Task {task.id} of {task.suite} can have {len(examples)} examples and not "
            f"{settings.examples}.",
            "name another suite or file as pool.",
        )
    return render_after(examples, task, settings)


def render_after(examples: Sequence[Task], task: Task, settings: PromptSettings) -> Prompt:
    """The prompt with these tasks solved before it."""
    language = language_of(task, settings)
    template = _templates.find(_template_name(task, settings), task)
    _refuse_untaken(template, settings)
    view = view_of(task, language, settings)
    drawn = Drawing(task, language, settings).tests()
    tests = [shown_test(task, test, view.name) for test in drawn]
    shown = [test for test in tests if test is not None]
    stem = Stem() if template.is_chat else stem_of(task, view)
    values = {
        "task": view,
        "stem": stem.before,
        "shown": shown,
        "examples": [
            {"task": view_of(one, language, settings), "answer": reference_of(one)}
            for one in examples
        ],
    }
    messages = _chat(template, values, settings) if template.is_chat else _text(template, values)
    messages = _stripped(messages, settings.strip)
    return Prompt(
        text="\n\n".join(message.content for message in messages),
        messages=messages,
        settings=_recorded(settings, template, language, examples, shown),
        hash=_hash(messages),
        form=AnswerForm.COMPLETION if _continues(template, task) else AnswerForm.ANSWER,
        stem=stem,
        stop=template.stop,
        cut=template.cut,
        suffix="" if template.is_chat else task.suffix.replace("\t", "    "),
    )


def continued(prompt: Prompt, *more: Message) -> Prompt:
    """The prompt with what was said after it."""
    messages = (*prompt.messages, *more)
    text = "\n\n".join(message.content for message in messages)
    return replace(prompt, text=text, messages=messages, hash=_hash(messages))


def _template_name(task: Task, settings: PromptSettings) -> str:
    if settings.template:
        return settings.template
    published = published_for(task.suite) if settings.drawing == "published" else ""
    return published or CHAT


def _continues(template: Template, task: Task) -> bool:
    return not template.is_chat and bool(task.context)


def _refuse_untaken(template: Template, settings: PromptSettings) -> None:
    """A function that is asked for by another name than the tests call is no answer to a chat."""
    if settings.function_name != "id" and "function_name" not in template.takes:
        raise PolyAssayError(
            f"The template {template.name} cannot ask for a function by another name.",
            "function_name is for templates whose answers continue the task, such as odex.",
        )


def _chat(
    template: Template, values: Mapping[str, Any], settings: PromptSettings
) -> tuple[Message, ...]:
    system = settings.system or template.block("system", values) if template.blocks else ""
    messages = [Message("system", system)] if system else []
    if not template.blocks:  # one's own, of one piece: it shows examples by itself
        if settings.system:
            messages = [Message("system", settings.system)]
        return (*messages, Message("user", template.block("user", values)))
    for example in values["examples"]:
        alone = {**values, "task": example["task"], "shown": [], "examples": []}
        messages.append(Message("user", template.block("user", alone)))
        answered = {**alone, "answer": example["answer"]}
        messages.append(Message("assistant", template.block("answer", answered)))
    return (*messages, Message("user", template.block("user", values)))


def _text(template: Template, values: Mapping[str, Any]) -> tuple[Message, ...]:
    return (Message("user", template.block("text", values)),)


def _stripped(messages: tuple[Message, ...], strip: str) -> tuple[Message, ...]:
    """Only the last message ends where the answer begins."""
    last = messages[-1]
    if strip == "right":
        last = replace(last, content=last.content.rstrip())
    elif strip == "both":
        last = replace(last, content=last.content.strip())
    return (*messages[:-1], last)


def _recorded(
    settings: PromptSettings,
    template: Template,
    language: str,
    examples: Sequence[Task],
    shown: Sequence[ShownTest],
) -> dict[str, Any]:
    return settings.recorded() | {
        "template": template.name,
        "template_sha256": template.sha256,
        "prompt_language": language,
        "example_tasks": [f"{one.suite}:{one.id}" for one in examples],
        "shown_test_names": [test.name for test in shown],
    }


def _hash(messages: Sequence[Message]) -> str:
    plain = [[message.role, message.content] for message in messages]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


__all__ = ["Message", "Prompt", "Stem", "TaskView", "language_of", "render"]
