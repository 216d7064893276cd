"""The report's task pages: verdicts as they stream from the store, one task at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from polyassay.measures.results import Results
from polyassay.measures.units import TaskKey
from polyassay.model import CandidateKey, Judging, Outcome, Task, TestStatus, Verdict
from polyassay.prompts.sent import prompt_sent
from polyassay.report.tasks.assertion_sets import decisive_tests, other_sets
from polyassay.report.tasks.differences import line_difference
from polyassay.report.tasks.failing import failed_tests
from polyassay.report.tasks.remarks import remarks
from polyassay.report.tasks.unknown import meant_for
from polyassay.report.views import Difference, Grade, PromptPage, ShownSample, TaskPage
from polyassay.store import Store
from polyassay.texts import say
from polyassay.wording import NO_CODE

_OUTPUT_SHOWN = 4000  # characters
_COSTS = (
    ("input_tokens", "{number} tokens read", ",.0f"),
    ("output_tokens", "{number} tokens written", ",.0f"),
    ("answer_seconds", "answered in {number} s", ".1f"),
    ("cost", "cost {number}", ".3g"),
)
Measures = Mapping[CandidateKey, Mapping[str, float]]


def task_pages(
    store: Store,
    results: Results,
    pages: Mapping[TaskKey, int],
    grades: Mapping[CandidateKey, Sequence[Grade]],
) -> Iterator[TaskPage]:
    """One page for each task that has one; tasks without any answer come last."""
    seen = set()
    measures = _recorded(results)
    for key, verdicts in groupby(_verdicts(store, results, pages), key=_task_of):
        seen.add(key)
        attempts = [_stored_attempt(store, results, one, grades, measures) for one in verdicts]
        yield _page(results, key, pages[key], attempts)
    for key in pages.keys() - seen:
        yield _page(results, key, pages[key], [])


def _verdicts(store: Store, results: Results, pages: Mapping[TaskKey, int]) -> Iterator[Verdict]:
    """Of some tasks one by one, of most of them in one go."""
    run = results.run.id
    if 2 * len(pages) < len(results.tasks):
        for suite, task in pages:
            yield from store.verdicts(run, task, suite=suite)
        return
    for verdict in store.verdicts(run):
        if _task_of(verdict) in pages:
            yield verdict


def task_page(
    store: Store,
    results: Results,
    key: TaskKey,
    number: int,
    grades: Mapping[CandidateKey, Sequence[Grade]],
) -> TaskPage:
    """The page of one task, with the verdicts that there are now."""
    verdicts = store.verdicts(results.run.id, task=key[1], suite=key[0])
    measures = _recorded(results)
    attempts = [_stored_attempt(store, results, one, grades, measures) for one in verdicts]
    return _page(results, key, number, attempts)


def _task_of(verdict: Verdict) -> TaskKey:
    return verdict.candidate.suite, verdict.candidate.task


def _stored_attempt(
    store: Store,
    results: Results,
    verdict: Verdict,
    grades: Mapping[CandidateKey, Sequence[Grade]],
    measures: Measures,
) -> ShownSample:
    key, code = verdict.candidate, verdict.program.code
    task, recorded = results.tasks[_task_of(verdict)], measures.get(key, {})
    sent = ""
    if recorded or not code:
        candidate = store.candidate(results.run.id, key)
        # Where no code could be found, the raw answer is what a reader wants to see.
        code = code or candidate.answer
        sent = prompt_sent(task, candidate.origin or {}, results.tasks)
    attempt = _attempt(task, verdict, code, tuple(grades.get(key, ())))
    return replace(attempt, costs=tuple(_costs(recorded)), sent=sent)


def _recorded(results: Results) -> Measures:
    """What was recorded about answers: of most runs nothing."""
    found: dict[CandidateKey, Mapping[str, float]] = {}
    for tool, units in results.scores.items():
        for unit in units:
            of = unit.unit
            for one in unit.samples:
                if one.measures:
                    key = CandidateKey(of.suite, of.task, tool, of.prompt_language, one.number)
                    found[key] = one.measures
    return found


def _costs(measures: Mapping[str, float]) -> Iterator[str]:
    """What an answer took, as far as that is known."""
    for name, told, form in _COSTS:
        if name in measures:
            yield say(told, number=format(measures[name], form))


def _page(results: Results, key: TaskKey, number: int, attempts: list[ShownSample]) -> TaskPage:
    task = results.tasks[key]
    found: dict[str, dict[str, list[ShownSample]]] = {}
    for attempt in attempts:
        by_tool = found.setdefault(attempt.prompt_language, {tool: [] for tool in results.scores})
        by_tool.setdefault(attempt.tool, []).append(attempt)  # its first verdict may be newer
    languages = list(found) or list(task.prompts)[:1]
    return TaskPage(
        page=number,
        task=task.id,
        suite=task.suite,
        language=task.language,
        signature=task.signature,
        context=task.context,
        facts=tuple(_facts(task)),
        asked=tuple(
            _asked(results, task, language, found.get(language, {})) for language in languages
        ),
    )


def _asked(
    results: Results, task: Task, language: str, attempts: Mapping[str, Sequence[ShownSample]]
) -> PromptPage:
    # A sample that failed is what a reader came for.
    shown = {
        tool: tuple(sorted(attempts.get(tool, ()), key=lambda one: one.outcome is Outcome.PASSED))
        for tool in results.scores
    }
    meant = {
        tool: meant_for(results.run, task.id, tool) for tool, found in shown.items() if not found
    }
    prompt = task.prompts.get(language, "")
    return PromptPage(language, prompt, shown, meant, tuple(_differences(task, shown)))


def _differences(task: Task, shown: Mapping[str, Sequence[ShownSample]]) -> Iterator[Difference]:
    """The first two tools' answers, and each one beside the reference."""
    first = [(tool, some[0].code) for tool, some in shown.items() if some and some[0].code.strip()]
    pairs = [(first[0], first[1])] if len(first) > 1 else []
    if task.reference.strip():
        pairs += [((say("reference"), task.reference), one) for one in first[:2]]
    for (a, before), (b, after) in pairs:
        if lines := line_difference(before, after):
            yield Difference(f"{a} → {b}", lines, before == task.reference)


def _attempt(
    task: Task,
    verdict: Verdict,
    code: str,
    grades: tuple[Grade, ...],
) -> ShownSample:
    key, program = verdict.candidate, verdict.program
    # A listing of several files is all that there is.
    alike = program.files or program.source.strip() == code.strip()
    whole = "" if alike else program.source
    tests = decisive_tests(task, verdict)
    failed = failed_tests(task, tests)
    said, at_lines = remarks(verdict, code, failed)
    return ShownSample(
        tool=key.tool,
        prompt_language=key.prompt_language,
        sample=key.sample,
        outcome=verdict.outcome,
        passed=verdict.passed,
        total=verdict.total,
        judged=verdict.judged,
        seconds=verdict.seconds,
        reason=verdict.reason,
        said=said,
        remarks=at_lines,
        code=code,
        source=whole,
        notes=program.notes,
        passed_tests=tuple(t.name for t in tests if t.status is TestStatus.PASSED),
        failed_tests=tuple(failed),
        other_sets=other_sets(verdict),
        output=verdict.output[:_OUTPUT_SHOWN],
        grades=grades,
        prose=program.problem == NO_CODE,
    )


def _facts(task: Task) -> Iterator[tuple[str, str]]:
    if task.libraries:
        yield say("libraries"), ", ".join(task.libraries)
    if task.tags:
        yield say("tags"), ", ".join(task.tags)
    if task.judging is Judging.TOGETHER:
        yield say("judged together"), task.together_because
    if task.needs_network:
        yield say("needs"), say("the network")
