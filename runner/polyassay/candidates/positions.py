"""Formats that name no task: answers stand in the order of the suite, or beside its reference."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from polyassay.candidates.records import AnswerFile, BadRecord, RawAnswer, Record, Unreadable, texts
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Suite, Task
from polyassay.wording import counted

Item = RawAnswer | BadRecord
_TOKEN_MARKS = {"Ġ": " ", "Ċ": "\n", "ĉ": "\t"}


def read_bigcode(file: AnswerFile, suites: Mapping[str, Suite]) -> Iterator[Item]:
    """A list per task in the suite's order, whose programs include the prompt."""
    items = list(file.records())
    suite = _suite_of_length(file, suites, len(items))
    for task, item in zip(suite.tasks, items, strict=False):
        yield from _samples(item, task, AnswerForm.PROGRAM, field="")


def read_odex(file: AnswerFile, suites: Mapping[str, Suite]) -> Iterator[Item]:
    """{"predictions": [...]} per line of one of ODEX's files; the answers complete its prompts."""
    items = list(file.records())
    tasks = _part_of_odex(file, suites, len(items))
    for task, item in zip(tasks, items, strict=False):
        yield from _samples(item, task, AnswerForm.COMPLETION, field="predictions")


def read_exeds(file: AnswerFile, suites: Mapping[str, Suite]) -> Iterator[Item]:
    """{"target", "generation"}: target is the reference code, in which spaces do not count.

    Where several tasks have the same reference, their generations are taken in turn.
    """
    tasks: dict[str, list[Task]] = defaultdict(list)
    for suite in suites.values():
        for task in suite.tasks:
            tasks["".join(task.reference.split())].append(task)
    seen: Counter[str] = Counter()
    for item in file.records():
        if isinstance(item, BadRecord):
            yield item
            continue
        try:
            target, text = _decoded(item.text("target")), _decoded(item.text("generation"))
        except Unreadable as error:
            yield BadRecord(item.where, str(error))
            continue
        target = "".join(target.split())
        twins = tasks.get(target, [])
        if not twins:
            yield RawAnswer(item.where, f"target {target[:40]}", text)
            continue
        task = twins[seen[target] % len(twins)]
        seen[target] += 1
        yield RawAnswer(item.where, task.id, text, suite=task.suite)


def _decoded(text: str) -> str:
    """Text of a model's tokens, in which Ġ is a space; other text keeps its spaces."""
    if not any(mark in text for mark in _TOKEN_MARKS):
        return text
    for mark, meaning in {" ": "", **_TOKEN_MARKS}.items():
        text = text.replace(mark, meaning)
    return text


def _samples(item: Record | BadRecord, task: Task, form: AnswerForm, field: str) -> Iterator[Item]:
    if isinstance(item, BadRecord):
        yield item
        return
    try:
        found = item.texts(field) if field else texts(item.value, "item")
    except Unreadable as error:
        yield BadRecord(item.where, str(error))
        return
    for sample, text in enumerate(found):
        yield RawAnswer(item.where, task.id, text, form, sample=sample, suite=task.suite)


def _suite_of_length(file: AnswerFile, suites: Mapping[str, Suite], count: int) -> Suite:
    """The only suite, or the only one of that length; fewer answers are the first tasks'."""
    fitting = [suite for suite in suites.values() if len(suite.tasks) == count]
    if len(fitting) == 1:
        return fitting[0]
    if len(suites) == 1:
        (suite,) = suites.values()
        if count <= len(suite.tasks):
            return suite
        raise _too_many(file.path, count, suite.name, len(suite.tasks))
    names = ", ".join(suites)
    raise PolyAssayError(
        f"{file.path} names no tasks, and its {count} answers may be for any of {names}.",
        hint="Run one suite alone with it.",
    )


def _part_of_odex(file: AnswerFile, suites: Mapping[str, Suite], count: int) -> Sequence[Task]:
    """The file's part of the suite: by the language in its name, else by its length."""
    parts: dict[str, list[Task]] = defaultdict(list)
    for suite in suites.values():
        for task in suite.tasks:
            part, slash, line = task.id.partition("/")
            if slash and line.isdecimal():
                parts[part].append(task)
    words = re.split(r"[^a-z]+", "/".join(file.path.parts[-2:]).lower())
    named = [part for part in parts if part in words]
    fitting = named or [part for part, tasks in parts.items() if len(tasks) == count]
    if len(fitting) != 1:
        raise PolyAssayError(
            f"Which part of ODEX {file.path} answers cannot be told.",
            hint="Put the prompts' language into its name: predictions_en.jsonl, _es, _ja or _ru.",
        )
    tasks = parts[fitting[0]]
    if count > len(tasks):
        raise _too_many(file.path, count, fitting[0], len(tasks))
    return tasks


def _too_many(path: Path, answers: int, where: str, tasks: int) -> PolyAssayError:
    held, known = counted(answers, "answer"), counted(tasks, "task")
    return PolyAssayError(
        f"{path} holds {held}, but {where} has {known}.",
        hint="Answers in this format follow the suite's order.",
    )
