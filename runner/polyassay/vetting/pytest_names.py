"""Asks the suite's own pytest which tests a file has, when the suite is added.

A test file imports the answer, so it needs one to be collected: the reference, or where that is
missing or does not load, a module that has whatever name is asked of it. Test code is not trusted:
it is collected in a sandbox, as it is run.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from polyassay.candidates import ProgramMaker, reference_candidates
from polyassay.harness import RunSettings
from polyassay.harness.python.harness import CollectedTests, PythonHarness
from polyassay.model import Program, Style, Suite, Task, Test
from polyassay.suites.make import with_tasks
from polyassay.wording import did_you_mean, some

# Whatever is imported from it is a class, which can be called, inherited from and asked for more.
_ANY_MODULE = """
class _Kind(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _named(name)
    def __iter__(cls):
        return iter(())

def _named(name):
    return _Kind(name, (Exception,), {"__init__": lambda self, *args, **named: None})

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _named(name)
"""


def missing_tests(found: CollectedTests, tests: Sequence[Test]) -> str:
    """What is wrong with tests that somebody listed; nothing where all of them were found."""
    known = (*found.names, *found.disabled)
    missing = [test.name for test in tests if test.name not in known]
    if not missing:
        return ""
    there = f"it finds {some(found.names)}" if found.names else "it finds none"
    return f"pytest finds no test {some(missing)}; {did_you_mean(missing[0], known)}{there}"


def has_pytest(suite: Suite) -> bool:
    return any(task.style is Style.PYTEST for task in suite.tasks)


def with_test_names(suite: Suite, settings: RunSettings, tell: Callable[[str], None]) -> Suite:
    """The suite, with the tests that pytest found; its environment must be there.

    Names that a task lists stay as they are. What is wrong with a task is told, and it stays in the
    suite: a run finds it not runnable here.
    """
    tasks = {task.id: task for task in suite.tasks}
    for task, found in collect(suite, settings):
        problem = found.problem or missing_tests(found, task.tests)
        if problem:
            tell(f"{suite.name}: {task.id} cannot be judged here: {problem}")
        listed = [test for test in task.tests if test.name not in found.disabled]
        tests = tuple(listed) if task.tests else tuple(map(Test, found.names))
        tasks[task.id] = replace(task, tests=tests)
    return with_tasks(suite, list(tasks.values()))


def collect(suite: Suite, settings: RunSettings) -> Iterator[tuple[Task, CollectedTests]]:
    """What pytest finds for each task that has a pytest file."""
    references = {candidate.key.task: candidate for candidate in reference_candidates(suite)}
    with closing(PythonHarness(settings)) as harness, ProgramMaker() as maker:
        for task in suite.tasks:
            if task.style is Style.PYTEST:
                given = references.get(task.id)
                programs = [maker.make(task, given)] if given else []
                yield task, _first_that_works(harness, task, [*programs, Program(_ANY_MODULE)])


def _first_that_works(
    harness: PythonHarness, task: Task, programs: Sequence[Program]
) -> CollectedTests:
    if lacking := harness.lacks(task):
        return CollectedTests((), (), lacking)
    problem = ""
    for program in programs:
        found = harness.collect(task, program)
        if not found.problem:
            none = "" if found.names else "pytest finds no tests in its file"
            return found._replace(problem=none)
        problem = problem or found.problem
    return CollectedTests((), (), problem)
