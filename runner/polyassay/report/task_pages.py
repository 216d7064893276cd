"""The report's task pages: verdicts as they stream from the store, one task at a time."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from polyassay.measures.results import Results
from polyassay.measures.units import TaskKey
from polyassay.model import CandidateKey, Outcome, Task, TestStatus, Verdict
from polyassay.report.tasks.differences import line_difference
from polyassay.report.tasks.failing import failed_tests
from polyassay.report.views import Asked, Attempt, Difference, Grade, TaskPage
from polyassay.store import Store

_OUTPUT_SHOWN = 4000  # characters


def number_pages(results: Results) -> dict[TaskKey, int]:
    """Pages by number, because a task's id may hold anything; in the suites' order."""
    scored = {unit.unit.task_key for units in results.scores.values() for unit in units}
    return {key: i for i, key in enumerate(key for key in results.tasks if key in scored)}


def task_pages(
    store: Store,
    results: Results,
    pages: Mapping[TaskKey, int],
    grades: Mapping[CandidateKey, Sequence[Grade]],
) -> Iterator[TaskPage]:
    """One page a task; what nobody answered comes last."""
    seen = set()

    def attempt(verdict: Verdict) -> Attempt:
        # Where no code could be found, the raw answer is what a reader wants to see.
        key = verdict.candidate
        code = verdict.program.code or store.candidate(results.run.id, key).answer
        task = results.tasks[key.suite, key.task]
        return _attempt(task, verdict, code, tuple(grades.get(key, ())))

    def task_of(verdict: Verdict) -> TaskKey:
        return verdict.candidate.suite, verdict.candidate.task

    for key, verdicts in groupby(store.verdicts(results.run.id), key=task_of):
        seen.add(key)
        yield _page(results, key, pages[key], [attempt(verdict) for verdict in verdicts])
    for key in pages.keys() - seen:
        yield _page(results, key, pages[key], [])


def _page(results: Results, key: TaskKey, number: int, attempts: list[Attempt]) -> TaskPage:
    task = results.tasks[key]
    found: dict[str, dict[str, list[Attempt]]] = {}
    for attempt in attempts:
        by_tool = found.setdefault(attempt.prompt_language, {tool: [] for tool in results.scores})
        by_tool[attempt.tool].append(attempt)
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
            _asked(task, language, found.get(language, {}), list(results.scores))
            for language in languages
        ),
    )


def _asked(
    task: Task, language: str, attempts: Mapping[str, Sequence[Attempt]], tools: Sequence[str]
) -> Asked:
    # A sample that failed is what a reader came for.
    shown = {
        tool: tuple(sorted(attempts.get(tool, ()), key=lambda one: one.outcome is Outcome.PASSED))
        for tool in tools
    }
    return Asked(language, task.prompts.get(language, ""), shown, tuple(_differences(task, shown)))


def _differences(task: Task, shown: Mapping[str, Sequence[Attempt]]) -> Iterator[Difference]:
    """The first two tools' answers, and each one beside the reference."""
    first = [(tool, some[0].code) for tool, some in shown.items() if some and some[0].code.strip()]
    pairs = [(first[0], first[1])] if len(first) > 1 else []
    if task.reference.strip():
        pairs += [(("reference", task.reference), one) for one in first[:2]]
    for (a, before), (b, after) in pairs:
        if lines := line_difference(before, after):
            yield Difference(f"{a} → {b}", lines, before == task.reference)


def _attempt(task: Task, verdict: Verdict, code: str, grades: tuple[Grade, ...]) -> Attempt:
    key, program = verdict.candidate, verdict.program
    # A listing of several files is all that there is.
    alike = program.files or program.source.strip() == code.strip()
    whole = "" if alike else program.source
    return Attempt(
        tool=key.tool,
        prompt_language=key.prompt_language,
        sample=key.sample,
        outcome=verdict.outcome,
        passed=verdict.passed,
        total=verdict.total,
        judged=verdict.judged,
        seconds=verdict.seconds,
        reason=verdict.reason,
        code=code,
        source=whole,
        notes=program.notes,
        passed_tests=tuple(t.name for t in verdict.tests if t.status is TestStatus.PASSED),
        failed_tests=tuple(failed_tests(task, verdict.tests)),
        output=verdict.output[:_OUTPUT_SHOWN],
        grades=grades,
    )


def _facts(task: Task) -> Iterator[tuple[str, str]]:
    if task.libraries:
        yield "libraries", ", ".join(task.libraries)
    if task.tags:
        yield "tags", ", ".join(task.tags)
    if task.together_because:
        yield "judged together", task.together_because
    if task.needs_network:
        yield "needs", "the network"
