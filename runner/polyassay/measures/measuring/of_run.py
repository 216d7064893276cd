"""Measures what a run's answers lack, and reads what is kept of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import groupby, islice

from polyassay.measures.measuring.measurer import Measurer
from polyassay.measures.measuring.names import PUBLISHED
from polyassay.measures.measuring.request import MeasuredSample, Rules, ToMeasure, to_measure
from polyassay.measures.measuring.versions import fingerprint
from polyassay.measures.readability.findings import Linted, findings, linter_version
from polyassay.measures.surface.values import NAMES as SURFACE
from polyassay.measures.units import TaskKey
from polyassay.model import CandidateKey, Outcome, Task, Verdict
from polyassay.store import Run, Store
from polyassay.store.measured import Measured, MeasuredAnswers

FINDINGS = "findings"  # the rules' name for what linters say, which is measured apart
LINTED = 1  # raise it whenever findings are counted in another way
SAVED = 500  # samples a transaction


def measure_run(
    store: Store,
    run: Run,
    tasks: Mapping[TaskKey, Task],
    rules: Rules,
    jobs: int,
    done: Callable[[int], None],
) -> int:
    """How many were measured; those that this version has measured already are left alone."""
    answers = MeasuredAnswers(store)
    version = fingerprint(_passing(store, run) if rules.passing else "")
    known = answers.known(run.id, rules.name, version)
    todo = _to_measure(store, run, tasks, rules, known)
    count = 0
    with Measurer(jobs) as measurer:
        found = measurer.measure(todo)
        while some := list(islice(found, SAVED)):
            answers.save(run.id, rules.name, version, [_kept(sample) for sample in some])
            count += len(some)
            done(len(some))
    return count


def _kept(sample: MeasuredSample) -> Measured:
    body = asdict(sample)
    del body["key"]
    return Measured(sample.key, body)


def _passing(store: Store, run: Run) -> str:
    """Which answers pass: they are references, so other ones make other values."""
    passed = (v.candidate for v in store.verdicts(run.id) if v.outcome is Outcome.PASSED)
    return "\n".join(map(str, passed))


def _to_measure(
    store: Store,
    run: Run,
    tasks: Mapping[TaskKey, Task],
    rules: Rules,
    known: set[CandidateKey],
) -> Iterator[ToMeasure]:
    """A task's answers at a time, so that few are held."""

    def of_task(verdict: Verdict) -> TaskKey:
        return verdict.candidate.suite, verdict.candidate.task

    for key, verdicts in groupby(store.verdicts(run.id), key=of_task):
        if key not in tasks:
            continue
        some = list(verdicts)
        passing = {
            verdict.candidate: verdict.program.code
            for verdict in some
            if rules.passing and verdict.outcome is Outcome.PASSED
        }
        for verdict in some:
            if verdict.candidate in known:
                continue
            program = verdict.program
            others = [code for k, code in passing.items() if k != verdict.candidate]
            yield to_measure(tasks[key], verdict.candidate, program.code, program, rules, others)


def lint_run(store: Store, run: Run, tasks: Mapping[TaskKey, Task]) -> None:
    """What linters say of a run's programs, a folder of many at a time."""
    answers = MeasuredAnswers(store)
    for language in sorted({task.language for task in tasks.values()}):
        version = f"{LINTED} {linter_version(language) or 'none'}"
        known = answers.known(run.id, FINDINGS, version)
        todo = (
            verdict
            for verdict in store.verdicts(run.id)
            if verdict.candidate not in known
            and (task := tasks.get((verdict.candidate.suite, verdict.candidate.task)))
            and task.language is language
        )
        while some := list(islice(todo, SAVED)):
            found = findings([Linted.of(verdict.program) for verdict in some], language)
            kept = [
                Measured(verdict.candidate, {"values": values})
                for verdict, values in zip(some, found, strict=True)
            ]
            answers.save(run.id, FINDINGS, version, kept)


def all_measured(store: Store, run: Run, rules: str) -> Iterator[MeasuredSample]:
    """Surface metrics and signals with what linters say."""
    linted = {sample.key: sample.values for sample in measured_run(store, run, FINDINGS)}
    for sample in measured_run(store, run, rules):
        yield replace(sample, values={**sample.values, **linted.get(sample.key, {})})


def measured_run(store: Store, run: Run, rules: str) -> Iterator[MeasuredSample]:
    for one in MeasuredAnswers(store).all(run.id, rules):
        body = one.body
        yield MeasuredSample(
            one.key,
            body["values"],
            body.get("counts", {}),
            tuple(body.get("tags", ())),
            tuple(body.get("notes", ())),
        )


def known_values(store: Store, run: Run) -> dict[CandidateKey, dict[str, float]]:
    """What `polyassay measures` has found so far, by the names of the table of measures."""
    found: dict[CandidateKey, dict[str, float]] = {}
    for rules in MeasuredAnswers(store).rules(run.id):
        before = {"published": PUBLISHED, "standard": "", FINDINGS: ""}.get(rules)
        for sample in measured_run(store, run, rules) if before is not None else ():
            values = found.setdefault(sample.key, {})
            for name, value in sample.values.items():
                named = f"{before}{name}" if name in SURFACE else name
                if value is not None and named not in values:
                    values[named] = value
    return found
