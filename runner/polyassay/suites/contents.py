"""What is in a suite, counted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.model import Judging, Suite, Task


@dataclass(frozen=True, slots=True)
class Statistics:
    tasks: int
    tests: int
    languages: Mapping[str, int]  # tasks by programming language
    styles: Mapping[str, int]
    libraries: Mapping[str, int]  # tasks that use a library
    judged: Mapping[str, int]  # apart or together, unless a flag says otherwise
    together_because: Mapping[str, int]
    needs_network: int
    references: int
    by_prompt_language: Mapping[str, Mapping[str, int]]  # tasks, tests, libraries, and domains


def statistics(suite: Suite) -> Statistics:
    """Counts by everything that a report may group by; the largest first."""
    tasks = suite.tasks
    return Statistics(
        tasks=len(tasks),
        tests=sum(len(task.tests) for task in tasks),
        languages=_count(str(task.language) for task in tasks),
        styles=_count(str(task.style) for task in tasks),
        libraries=_count(library for task in tasks for library in set(task.libraries)),
        judged=_count(str(task.judging) for task in tasks if task.tests),
        together_because=_count(
            task.together_because for task in tasks if task.judging is Judging.TOGETHER
        ),
        needs_network=sum(task.needs_network for task in tasks),
        references=sum(bool(task.reference) for task in tasks),
        by_prompt_language={
            nl: _prompted([task for task in tasks if nl in task.prompts])
            for nl in sorted({nl for task in tasks for nl in task.prompts})
        },
    )


def _prompted(tasks: Sequence[Task]) -> dict[str, int]:
    return {
        "tasks": len(tasks),
        "tests": sum(len(task.tests) for task in tasks),
        "libraries": len({library for task in tasks for library in task.libraries}),
        **_count(task.domain for task in tasks if task.domain),
    }


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())
