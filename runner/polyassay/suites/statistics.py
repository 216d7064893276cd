"""What is in a suite, counted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from polyassay.model import Judging, Suite


@dataclass(frozen=True, slots=True)
class Statistics:
    tasks: int
    tests: int
    languages: Mapping[str, int]  # tasks by programming language
    styles: Mapping[str, int]
    prompts: Mapping[str, int]  # tasks by the prompt's language
    libraries: Mapping[str, int]  # tasks that use a library
    domains: Mapping[str, Mapping[str, int]]  # prompt's language → open or closed → tasks
    judged: Mapping[str, int]  # apart or together, unless a flag says otherwise
    together_because: Mapping[str, int]
    needs_network: int
    references: int


def statistics(suite: Suite) -> Statistics:
    """Counts by everything that a report may group by; the largest first."""
    tasks = suite.tasks
    languages = {nl for task in tasks for nl in task.prompts}
    return Statistics(
        tasks=len(tasks),
        tests=sum(len(task.tests) for task in tasks),
        languages=_count(str(task.language) for task in tasks),
        styles=_count(str(task.style) for task in tasks),
        prompts=_count(nl for task in tasks for nl in task.prompts),
        libraries=_count(library for task in tasks for library in set(task.libraries)),
        domains={
            nl: domains
            for nl in sorted(languages)
            if (domains := _count(t.domain for t in tasks if nl in t.prompts and t.domain))
        },
        judged=_count(
            str(Judging.TOGETHER if task.together_because else Judging.APART)
            for task in tasks
            if task.tests
        ),
        together_because=_count(t.together_because for t in tasks if t.together_because),
        needs_network=sum(task.needs_network for task in tasks),
        references=sum(bool(task.reference) for task in tasks),
    )


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())
