"""What a suite is like, from its tasks and references alone."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from polyassay.measures.surface.comparing import without_given
from polyassay.measures.surface.tokens import odex_tokens
from polyassay.model import Language, Suite, Task

_IMPORT = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """The tasks of one prompt language, or all."""

    tasks: int
    open: int  # tasks that use a library
    closed: int
    libraries: int  # distinct ones
    tests: int
    prompt_words: float  # split at white space, which Japanese and Chinese hardly have
    code_tokens: float | None  # of references without the code that the task gives; ODEX's tokens
    tree_depth: float | None  # of whole Python references that parse


@dataclass(frozen=True, slots=True)
class SuiteStatistics:
    groups: Mapping[str, TaskFigures]  # by prompt language, then "all"
    libraries: Mapping[str, int]  # tasks that use it; "none" for those that use no library
    imports: Mapping[str, int]  # lines that import it before the tests; "none" as above
    assertion_sets: Mapping[int, int]  # how many a task has → tasks; of one-to-many suites


def suite_statistics(suite: Suite) -> SuiteStatistics:
    languages = dict.fromkeys(name for task in suite.tasks for name in task.prompts)
    groups = {
        name: _group([task for task in suite.tasks if name in task.prompts], name)
        for name in languages
    }
    groups["all"] = _group(suite.tasks, "")
    libraries = Counter(name for task in suite.tasks for name in task.libraries or ("none",))
    imports = Counter(name for task in suite.tasks for name in _imported(task) or ["none"])
    sets = Counter(len(task.sets) for task in suite.tasks if task.sets)
    return SuiteStatistics(
        groups,
        dict(libraries.most_common()),
        dict(imports.most_common()),
        {n: sets[n] for n in sorted(sets)},
    )


def _imported(task: Task) -> list[str]:
    """The task's libraries, each as often as a line imports it, and once at least."""
    lines = Counter(_IMPORT.findall(task.setup))
    return [name for name in task.libraries for _ in range(max(1, lines[name]))]


def _group(tasks: Iterable[Task], language: str) -> TaskFigures:
    chosen = list(tasks)
    prompts = [
        text for task in chosen for name, text in task.prompts.items() if language in ("", name)
    ]
    references = [without_given(task.reference, task) for task in chosen if task.reference]
    depths = [depth for task in chosen if (depth := _depth(task)) is not None]
    return TaskFigures(
        tasks=len(chosen),
        open=sum(bool(task.libraries) for task in chosen),
        closed=sum(not task.libraries for task in chosen),
        libraries=len({name for task in chosen for name in task.libraries}),
        tests=sum(len(task.tests) for task in chosen),
        prompt_words=fmean(len(text.split()) for text in prompts) if prompts else 0.0,
        code_tokens=fmean(len(odex_tokens(r)) for r in references) if references else None,
        tree_depth=fmean(depths) if depths else None,
    )


def _depth(task: Task) -> int | None:
    """Suites' own code is parsed here; answers never are."""
    if task.language is not Language.PYTHON or not task.reference:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in references
            return _deepest(ast.parse(task.reference))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _deepest(node: ast.AST) -> int:
    return 1 + max((_deepest(child) for child in ast.iter_child_nodes(node)), default=0)
