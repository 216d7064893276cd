"""Reads candidates from answer files of any known format, and counts all that it drops."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polyassay.candidates.formats import Item
from polyassay.candidates.opening import open_answers
from polyassay.candidates.records import BadRecord, RawAnswer, Stray
from polyassay.candidates.solution.paths import counts
from polyassay.errors import MOST_TOLD, PolyAssayError, all_told
from polyassay.model import AnswerForm, Candidate, CandidateKey, Style, Suite, Task
from polyassay.wording import counted, did_you_mean, some

SKIP_HINT = "nothing was run. Fix the line, or leave bad lines out with --skip-bad."


@dataclass(frozen=True, slots=True)
class Answers:
    """The candidates of some files, and all that did not become one."""

    candidates: tuple[Candidate, ...]
    format: str
    unknown: Mapping[str, int]  # tasks that no suite at hand has → how many answers
    duplicates: Mapping[str, int]  # tasks → answers left out because the same key was there
    bad_lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()  # files that are no solution file of any task, by path
    others: Mapping[str, int] = field(default_factory=dict)  # files for other suites → answers
    strangers: tuple[str, ...] = ()  # beside bad lines: what is to be said of each unknown task
    repeated: int = 0  # answers that became a further sample, with the text of one before


def read_answers(
    path: Path | Sequence[Path],
    tool: str,
    suites: Mapping[str, Suite],
    format: str | None = None,  # noqa: A002 – the flag's name
    skip_bad: bool = False,
) -> Answers:
    """Reads a file, a folder, or several of them as the answers of one tool."""
    paths = [path] if isinstance(path, Path) else list(path)
    joiner = _Joiner(tool, suites)
    found: dict[str, None] = {}
    for place in paths:
        for name, where, items in open_answers(place, suites, format):
            found[name] = None
            joiner.read(where, items)
    answers = joiner.finish(" and ".join(filter(None, found)))
    if answers.bad_lines and not skip_bad:
        wrong = (*answers.bad_lines, *answers.strangers)
        raise all_told([PolyAssayError(one, SKIP_HINT) for one in wrong])
    if not answers.candidates:
        _refuse_nothing(paths, suites, answers)
    return answers


def reference_candidates(suite: Suite) -> tuple[Candidate, ...]:
    """The built-in tool `reference`: what the publisher holds to be right."""
    return tuple(
        Candidate(_built_in_key(suite, task, "reference"), *reference_of(task))
        for task in suite.tasks
        if task.reference and task.style is not Style.RUBRIC
    )


def reference_of(task: Task) -> tuple[str, AnswerForm]:
    """A task's reference as the text of an answer, and how that is read; empty for none."""
    if task.reference_files:
        return json.dumps(dict(task.reference_files), ensure_ascii=False), AnswerForm.FILES
    return task.reference, AnswerForm(task.extra.get("reference_form", "program"))


def empty_candidates(suite: Suite) -> tuple[Candidate, ...]:
    """The built-in tool `empty`: compiles, and returns None or the type's default."""
    return tuple(
        Candidate(_built_in_key(suite, task, "empty"), "", AnswerForm.EMPTY)
        for task in suite.tasks
        if task.style is not Style.RUBRIC
    )


def _built_in_key(suite: Suite, task: Task, tool: str) -> CandidateKey:
    return CandidateKey(suite.name, task.id, tool, _usual_language(task), 0)


def _usual_language(task: Task) -> str:
    return "en" if "en" in task.prompts else next(iter(task.prompts), "")


class NoAnswerFits(PolyAssayError):
    """None of the answers is to a task of the suites at hand; these are the tasks they are to."""

    def __init__(self, problem: str, hint: str, tasks: Collection[str]) -> None:
        super().__init__(problem, hint)
        self.tasks = tasks

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.hint, self.tasks)


def _refuse_nothing(paths: list[Path], suites: Mapping[str, Suite], answers: Answers) -> None:
    names = " or ".join(suites) or "any suite"
    where = ", ".join(map(str, paths))
    found = f": it answers {some(answers.unknown, 3)}" if answers.unknown else ""
    known = {task.id for suite in suites.values() for task in suite.tasks}
    few = list(answers.unknown)[:MOST_TOLD]
    meant = next(filter(None, (did_you_mean(name, known) for name in few)), "")
    raise NoAnswerFits(
        f"{where} has no answer to a task of {names}{found}.",
        hint=f"{meant}Nothing was run. Is it the right suite? `polyassay suites tasks SUITE` "
        "lists tasks.",
        tasks=tuple(answers.unknown),
    )


class _Joiner:
    """Matches answers with tasks and numbers the samples."""

    def __init__(self, tool: str, suites: Mapping[str, Suite]) -> None:
        self._tool = tool
        self._tasks: dict[str, list[Task]] = defaultdict(list)
        for suite in suites.values():
            for task in suite.tasks:
                self._tasks[task.id].append(task)
        self._candidates: dict[CandidateKey, Candidate] = {}
        self._next_sample: dict[tuple[str, str, str, str], int] = {}
        self._unknown: Counter[str] = Counter()
        self._first_at: dict[str, RawAnswer] = {}  # of unknown tasks
        self._others: dict[Path, Counter[str]] = {}  # files without an answer to any of the tasks
        self._texts: set[tuple[str, str, str, str, str]] = set()
        self._repeated = 0
        self._matched = 0
        self._duplicates: Counter[str] = Counter()
        self._assumed: Counter[str] = Counter()
        self._bad: list[str] = []
        self._stray: list[str] = []

    def read(self, where: Path, items: Iterator[Item]) -> None:
        had, before = self._matched, self._unknown.copy()
        for item in items:
            self.add(item)
        if self._matched == had:
            self._others[where] = self._unknown - before

    def add(self, item: Item) -> None:
        if isinstance(item, BadRecord):
            self._refuse(item)
            return
        if isinstance(item, Stray):
            self._stray.append(item.where)
            return
        tasks = self._tasks.get(item.task, [])
        if item.suite:
            tasks = [task for task in tasks if task.suite == item.suite]
        if not tasks:
            name = f"{item.suite}: {item.task}" if item.suite else item.task
            self._unknown[name] += 1
            self._first_at.setdefault(name, item)
        elif len(tasks) > 1 and not _same_question(tasks):
            names = ", ".join(task.suite for task in tasks)
            problem = (
                f'task "{item.task}" is another one in each of {names}: "suite" must say which'
            )
            self._refuse(BadRecord(item.where, problem))
        else:
            self._matched += 1
            for task in tasks:
                self._add_for(task, item)

    def _add_for(self, task: Task, raw: RawAnswer) -> None:
        language = raw.prompt_language or _usual_language(task)
        if raw.prompt_language and task.prompts and language not in task.prompts:
            known = ", ".join(task.prompts)
            problem = f'task "{task.id}" has no prompt in "{language}", only in {known}'
            self._refuse(BadRecord(raw.where, problem))
            return
        if raw.files and not raw.files.keys() & task.solution.keys():
            wanted = ", ".join(task.solution) or 'no solution files: it takes "answer"'
            problem = f'"files" has none that task "{task.id}" asks for, which is {wanted}'
            self._refuse(BadRecord(raw.where, problem))
            return
        if not raw.prompt_language and len(task.prompts) > 1:
            self._assumed[language] += 1
        tool = raw.tool or self._tool
        if raw.variant:
            tool = f"{tool}[{raw.variant}]"
        series = (task.suite, task.id, tool, language)
        following = self._next_sample.get(series, 0)
        sample = following if raw.sample is None else raw.sample
        self._next_sample[series] = max(following, sample + 1)
        answer, form = (raw.answer, raw.form) if not raw.files else self._files(task, raw)
        candidate = Candidate(CandidateKey(*series, sample), answer, form, raw.origin)
        first = self._candidates.setdefault(candidate.key, candidate)
        if first is candidate:
            text = (*series, answer)
            self._repeated += raw.sample is None and text in self._texts
            self._texts.add(text)
            return
        self._duplicates[task.id] += 1
        if first != candidate:
            problem = f'sample {sample} of task "{task.id}" was there before, with another text'
            self._refuse(BadRecord(raw.where, problem))

    def _files(self, task: Task, raw: RawAnswer) -> tuple[str, AnswerForm]:
        """The solution files and their helpers: what else a tool wrote is none of the answer."""
        others = [path for path in raw.files if not counts(task, path)]
        self._stray.extend(f"{raw.where}: {path}" for path in others)
        # What a tool left alone is still what it was given.
        found = {path: raw.files.get(path, stub) for path, stub in task.solution.items()}
        found |= {path: text for path, text in raw.files.items() if counts(task, path)}
        if len(found) == 1:
            return next(iter(found.values())), AnswerForm.PROGRAM
        return json.dumps(found, ensure_ascii=False), AnswerForm.FILES

    def _refuse(self, bad: BadRecord) -> None:
        self._bad.append(str(bad))

    def finish(self, format_name: str) -> Answers:
        # Beside files with answers, a file without any is one for another suite.
        others = {path: of for path, of in self._others.items() if of} if self._candidates else {}
        for of in others.values():
            self._unknown -= of
        return Answers(
            candidates=tuple(self._candidates.values()),
            format=format_name,
            unknown=dict(self._unknown),
            duplicates=dict(self._duplicates),
            bad_lines=tuple(self._bad),
            notes=tuple(
                f"{counted(count, 'answer')} without a prompt language, counted as {language}"
                for language, count in self._assumed.items()
            ),
            stray=tuple(self._stray),
            strangers=tuple(self._strangers()),
            others={str(path): of.total() for path, of in others.items()},
            repeated=self._repeated,
        )

    def _strangers(self) -> Iterator[str]:
        if not self._bad:
            return  # then they are counted, and nothing is refused
        for place, name in enumerate(+self._unknown):
            first = self._first_at[name]
            # Of more than are told, nobody reads what was meant.
            meant = did_you_mean(first.task, self._tasks).strip() if place < MOST_TOLD else ""
            told = f'no suite of this run has a task "{name}"'
            yield str(BadRecord(first.where, f"{told}; {meant}" if meant else told))


def _same_question(tasks: Sequence[Task]) -> bool:
    """Whether an answer to one is an answer to all, as in an ablation of tests."""
    first = tasks[0]
    return all((t.prompts, t.language) == (first.prompts, first.language) for t in tasks[1:])
