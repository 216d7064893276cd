"""`-c [TOOL=]PATH`: from what the command line names to candidates."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polyassay.candidates import (
    Answers,
    empty_candidates,
    read_answers,
    reference_candidates,
)
from polyassay.candidates.chat import opens_like_a_chat
from polyassay.candidates.formats import FILES
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Candidate, CandidateKey, Style, Suite
from polyassay.wording import closest, counted, some

BUILT_IN = {"reference": reference_candidates, "empty": empty_candidates}
RECORDED = 200  # unknown tasks of a file: it may name any number of them
_COMPARED = 50_000  # pairs of names, which take about a second
SHOWN = 5  # unknown tasks, in a remark


@dataclass(frozen=True, slots=True)
class Sources:
    candidates: list[Candidate] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # what a person should know about the files
    described: list[dict[str, Any]] = field(default_factory=list)  # for the provenance


def read_sources(
    names: Sequence[str],
    suites: Mapping[str, Suite],
    answer_format: str | None,
    skip_bad: bool,
    limit: int | None,
    to_grade: bool = False,
    some_tasks: bool = False,
) -> Sources:
    """Reads every `-c`, and says what was missing, unknown or given twice in it."""
    if not names:
        raise PolyAssayError(
            "No candidates were named.",
            hint="Give -c TOOL=PATH, or one of the built-in tools: -c reference, -c empty.",
        )
    sources = Sources()
    for name in names:
        if name in BUILT_IN:
            for suite in suites.values():
                sources.candidates.extend(BUILT_IN[name](suite))
            sources.described.append({"tool": name})
        else:
            _read_file(sources, name, suites, answer_format, skip_bad)
    # With a limit or a selection, most tasks are not asked about at all.
    if limit is None and not some_tasks:
        sources.remarks.extend(_missing(sources.candidates, suites))
    if not to_grade:
        _leave_out_graded(sources, suites)
    _keep_one(sources)
    if limit is not None:
        _keep_first(sources, suites, limit)
    if not sources.candidates:
        raise PolyAssayError(
            "None of the answers belongs to the suites that were named.",
            hint="`polyassay suites tasks SUITE` lists a suite's tasks.",
        )
    return sources


def _read_file(
    sources: Sources,
    name: str,
    suites: Mapping[str, Suite],
    answer_format: str | None,
    skip_bad: bool,
) -> None:
    tool, equals, place = name.partition("=")
    if equals and not (tool.strip() and place.strip()):
        raise PolyAssayError(
            f'-c "{name}" names no {"file or folder" if tool.strip() else "tool"}.',
            hint="-c takes TOOL=PATH, as in -c finch=answers/finch.jsonl.",
        )
    path = Path(place if equals else name)
    if not path.exists():
        before, colon, after = name.partition(":")
        meant = f'did you mean "{before}={after}"? ' if colon and Path(after).exists() else ""
        raise PolyAssayError(
            f"There is no file or folder {path}.",
            hint=f"{meant}-c takes TOOL=PATH, or one of the built-in tools `reference` and "
            "`empty`.",
        )
    answers = read_answers(path, tool if equals else _stem(path), suites, answer_format, skip_bad)
    candidates = answers.candidates
    tools = {candidate.key.tool for candidate in candidates}
    is_variant = all(name.startswith(f"{tool}[") for name in tools)
    if equals and len(tools) == 1 and tools != {tool} and not is_variant:
        # The command line's name wins, so that two versions of one tool can be told apart.
        candidates = tuple(_by(tool, candidate) for candidate in candidates)
    sources.candidates.extend(candidates)
    sources.remarks.extend(f"{path}: {remark}" for remark in remarks_on(answers, suites))
    described: dict[str, Any] = {
        "path": str(path),
        "format": answers.format,
        "candidates": len(candidates),
    }
    if answers.unknown or answers.bad_lines:
        described["tools"] = sorted({candidate.key.tool for candidate in candidates})
    if answers.bad_lines:
        described["bad_lines"] = len(answers.bad_lines)
    if answers.unknown:
        described["unknown"] = _unknown_recorded(answers.unknown, suites)
    sources.described.append(described)


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]


def _by(tool: str, candidate: Candidate) -> Candidate:
    return dataclasses.replace(candidate, key=dataclasses.replace(candidate.key, tool=tool))


def remarks_on(answers: Answers, suites: Mapping[str, Suite]) -> Iterator[str]:
    """Everything that did not become a candidate, counted, and what was assumed."""
    yield from lost_answers(answers, suites)
    yield from harmless_remarks(answers)


def lost_answers(answers: Answers, suites: Mapping[str, Suite]) -> Iterator[str]:
    """Answers that did not become candidates."""
    yield from _unknown_told(answers.unknown, suites)
    for path, count in answers.others.items():
        yield f"{Path(path).name} left out: its {counted(count, 'answer')} are to other suites"
    if answers.duplicates:
        many = counted(sum(answers.duplicates.values()), "answer")
        yield f"{many} given twice, one of each kept: {some(answers.duplicates)}"
    if answers.bad_lines:
        many = counted(len(answers.bad_lines), "line")
        yield f"{many} left out: {'; '.join(answers.bad_lines[:3])}"


def _unknown_recorded(
    unknown: Mapping[str, int], suites: Mapping[str, Suite]
) -> list[dict[str, Any]]:
    """Unknown tasks for the provenance, those first of which it is likely what was meant."""
    known = {task.id for suite in suites.values() for task in suite.tasks}
    looked_at = max(SHOWN, min(RECORDED, _COMPARED // max(1, len(known))))
    found = [
        {"id": name, "answers": count, "meant": closest(name.split(": ")[-1], known, 0.8)}
        if place < looked_at
        else {"id": name, "answers": count, "meant": ""}
        for place, (name, count) in enumerate(unknown.items())
    ]
    return sorted(found, key=lambda one: not one["meant"])[:RECORDED]


def _unknown_told(unknown: Mapping[str, int], suites: Mapping[str, Suite]) -> Iterator[str]:
    """The same as a remark."""
    if not unknown:
        return
    many = counted(sum(unknown.values()), "answer")
    found = _unknown_recorded(unknown, suites)
    meant = [one for one in found if one["meant"]]
    others = [name for name in unknown if name not in {one["id"] for one in meant}]
    names = [f'{one["id"]} (did you mean "{one["meant"]}"?)' for one in meant] + others
    yield f"{many} to tasks that the suites do not have: {some(names, max(SHOWN, len(meant)))}"


def harmless_remarks(answers: Answers) -> Iterator[str]:
    """What a person should know, and what loses no answer."""
    if answers.repeated:
        many = counted(answers.repeated, "answer")
        yield f"{many} with the same text as one before, counted as a further sample of its task"
    if answers.stray:
        many = counted(len(answers.stray), "file that belongs", "files that belong")
        yield (
            f"{many} to no answer left out: {some(answers.stray)}. A file is an answer if it or "
            "a folder above it is named after a task: TASK.py, TASK/0.java"
        )
    if chats := _chats(answers):
        many = counted(len(chats), "file looks like a chat", "files look like chats")
        yield (
            f"{many} with fences, and files are judged as they are: {some(chats)}. Put the text of "
            "chats into JSONL: the code is taken out of it there"
        )
    yield from answers.notes


def _chats(answers: Answers) -> list[str]:
    """Tasks and samples of code files that hold a text pasted from a chat."""
    if answers.format != FILES:
        return []
    return [
        f"{candidate.key.task} (sample {candidate.key.sample})"
        for candidate in answers.candidates
        if candidate.form is AnswerForm.PROGRAM and opens_like_a_chat(candidate.answer)
    ]


def _missing(candidates: Sequence[Candidate], suites: Mapping[str, Suite]) -> Iterator[str]:
    """What each tool has not answered in any of its files."""
    answered = {(c.key.tool, c.key.suite, c.key.task) for c in candidates}
    for tool in dict.fromkeys(candidate.key.tool for candidate in candidates):
        for suite in suites.values() if tool not in BUILT_IN else ():
            tasks = [t.id for t in suite.tasks if (tool, suite.name, t.id) not in answered]
            if len(tasks) == len(suite.tasks):  # as `expected_units` counts
                yield f"{tool}: no answer to any task of {suite.name}, so no score there"
            elif tasks:
                many = counted(len(tasks), "task")
                yield (
                    f"{tool}: {many} of {suite.name} without an answer, counted as failed: "
                    f"{some(tasks)}"
                )


def _leave_out_graded(sources: Sources, suites: Mapping[str, Suite]) -> None:
    """Tasks without tests are graded by people, and cannot be run."""
    graded = {
        (suite.name, task.id)
        for suite in suites.values()
        for task in suite.tasks
        if task.style is Style.RUBRIC
    }
    kept = [c for c in sources.candidates if (c.key.suite, c.key.task) not in graded]
    if len(kept) < len(sources.candidates):
        many = counted(len(sources.candidates) - len(kept), "answer")
        sources.remarks.append(f"{many} to tasks that people grade left out")
        sources.candidates[:] = kept


def _keep_one(sources: Sources) -> None:
    """Of answers that two files hold, with the same text; refuses another text."""
    seen: dict[CandidateKey, Candidate] = {}
    for candidate in sources.candidates:
        key = candidate.key
        before = seen.setdefault(key, candidate)
        if (before.answer, before.form) != (candidate.answer, candidate.form):
            raise PolyAssayError(
                f'Two of the files hold sample {key.sample} of task {key.task} by "{key.tool}", '
                "with different texts.",
                hint='Samples of one tool go into one file, or say "sample" themselves; of two '
                "tools, name them apart: -c NAME=PATH.",
            )
    if twice := len(sources.candidates) - len(seen):
        many = counted(twice, "answer")
        sources.remarks.append(f"{many} that two files hold with the same text, one of each kept")
        sources.candidates[:] = seen.values()


def _keep_first(sources: Sources, suites: Mapping[str, Suite], limit: int) -> None:
    kept = {(suite.name, task.id) for suite in suites.values() for task in suite.tasks[:limit]}
    first = [c for c in sources.candidates if (c.key.suite, c.key.task) in kept]
    cut = len(sources.candidates) - len(first)
    if cut and not first:
        raise PolyAssayError(
            f"All answers are to tasks beyond the first {limit}.",
            hint="Give a larger --limit, or none.",
        )
    if cut:
        many = counted(cut, "answer")
        sources.remarks.append(f"{many} to tasks beyond the first {limit} left out")
    sources.candidates[:] = first
