"""Which mutants of a reference are judged: drawn by chance among those that are other programs."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from polyassay.harness import Harness
from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, CandidateKey, Limits, Task, Verdict
from polyassay.trust.mutants.change import Change, Mutations

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
    program = reference.program
    if program.files:  # a mutant is one source
        return Drawn(task)
    mutations: Mutations = imported(LANGUAGES[task.language].mutations)()
    last = program.first_line + program.code.rstrip("\n").count("\n")
    found = list(mutations.changes(program.source, program.first_line, last))
    chance = random.Random(f"{seed} {task.suite} {task.id}")  # noqa: S311 - not for secrets
    chance.shuffle(found)

    def fingerprint(source: str) -> bytes:
        return mutations.fingerprint(task, source, harness)

    return _first(
        replace(task, limits=_limits(task, reference)), program.source, found, count, fingerprint
    )


def _first(
    task: Task,
    reference: str,
    changes: list[Change],
    count: int | None,
    fingerprint: Callable[[str], bytes],
) -> Drawn:
    seen = {fingerprint(reference)}
    source = reference.encode()
    candidates: list[Candidate] = []
    described: list[str] = []
    equivalent = unbuilt = 0
    for change in changes:
        if count is not None and len(candidates) >= count:
            break
        mutant = change.applied(source)
        known = fingerprint(mutant)
        if not known or known in seen:
            unbuilt += not known
            equivalent += bool(known)
            continue
        seen.add(known)
        key = CandidateKey(task.suite, task.id, TOOL, "", len(candidates))
        candidates.append(Candidate(key, mutant, AnswerForm.SOURCE))
        described.append(change.described(source))
    return Drawn(task, tuple(candidates), tuple(described), equivalent, unbuilt)


def _limits(task: Task, reference: Verdict) -> Limits:
    """Enough for a program that does about as much: many mutants never end by themselves."""
    enough = max(2.0, 5 * reference.cpu_seconds)
    return replace(
        task.limits,
        seconds=min(task.limits.seconds, enough),
        total_seconds=min(task.limits.total_seconds, 5 * enough),
    )
