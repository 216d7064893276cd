"""Which mutants of a reference are judged: drawn by chance among those that are other programs."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from polyassay.harness import Harness
from polyassay.languages import LANGUAGES, imported
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Limits,
    Program,
    Task,
    Verdict,
)
from polyassay.trust.mutants.change import CodeChange, Mutations

TOOL = "mutant"  # the name under which they are judged


@dataclass(frozen=True, slots=True)
class Drawn:
    """One task's mutants."""

    task: Task  # with limits that fit a reference that goes wrong
    candidates: tuple[Candidate, ...] = ()
    described: tuple[str, ...] = ()  # in the same order
    equivalent: int = 0  # compiled to what the reference, or an earlier mutant, is compiled to
    unbuilt: int = 0


def draw(task: Task, reference: Verdict, count: int | None, seed: int, harness: Harness) -> Drawn:
    """`count` of them, or all; the same seed draws the same ones from the same reference."""
    if task.extra.get("snippet") == "quoted":  # its code is a text within another program
        return Drawn(task)
    mutations: Mutations = imported(LANGUAGES[task.language].mutations)()
    found = list(_changes(task, reference.program, mutations))
    chance = random.Random(f"{seed} {task.suite} {task.id}")  # noqa: S311 - not for secrets
    chance.shuffle(found)

    def fingerprint(program: Program) -> bytes:
        return mutations.fingerprint(task, program, harness)

    limited = replace(task, limits=_limits(task, reference))
    return _first(limited, reference.program, found, count, fingerprint)


def _changes(
    task: Task, program: Program, mutations: Mutations
) -> Iterator[tuple[str, CodeChange]]:
    """Path and change: of the answer's own lines, or of every file that the reference has."""
    for path, source in _sources(task, program).items():
        if path in task.reference_files or path == task.main_file:
            own = source if program.files else program.code
            last = program.first_line + own.rstrip("\n").count("\n")
            changes = mutations.changes(source, program.first_line, last)
            yield from ((path, change) for change in changes)


def _sources(task: Task, program: Program) -> dict[str, str]:
    return {task.main_file: program.source, **program.files}


def _first(
    task: Task,
    reference: Program,
    changes: list[tuple[str, CodeChange]],
    count: int | None,
    fingerprint: Callable[[Program], bytes],
) -> Drawn:
    seen = {fingerprint(reference)}
    candidates: list[Candidate] = []
    described: list[str] = []
    equivalent = unbuilt = 0
    for path, change in changes:
        if count is not None and len(candidates) >= count:
            break
        source = _sources(task, reference)[path].encode()
        mutant = _changed(task, reference, path, change.applied(source))
        known = fingerprint(mutant)
        if not known or known in seen:
            unbuilt += not known
            equivalent += bool(known)
            continue
        seen.add(known)
        key = CandidateKey(task.suite, task.id, TOOL, "", len(candidates))
        candidates.append(_candidate(task, key, mutant))
        named = f"{path}, " if reference.files else ""
        described.append(named + change.described(source))
    return Drawn(task, tuple(candidates), tuple(described), equivalent, unbuilt)


def _changed(task: Task, reference: Program, path: str, source: str) -> Program:
    if path == task.main_file:
        return replace(reference, source=source)
    return replace(reference, files={**reference.files, path: source})


def _candidate(task: Task, key: CandidateKey, mutant: Program) -> Candidate:
    """In a form that is built as it stands."""
    if not mutant.files:
        return Candidate(key, mutant.source, AnswerForm.SOURCE)
    return Candidate(key, json.dumps(_sources(task, mutant)), AnswerForm.FILES)


def _limits(task: Task, reference: Verdict) -> Limits:
    """Enough for a program that does about as much: many mutants never end by themselves."""
    enough = max(2.0, 5 * reference.cpu_seconds)
    return replace(
        task.limits,
        seconds=min(task.limits.seconds, enough),
        total_seconds=min(task.limits.total_seconds, 5 * enough),
    )
