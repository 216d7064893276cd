"""Which Java tasks can be judged apart: decided when a suite is added, from its own sources.

The harness' planner decides, in this process through JPype, by making the stub that the tests
would call: the same code that later runs them, so that both always agree. It sees suites only,
never an answer.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from polyassay.java_jars import find_jars
from polyassay.model import Style, Task
from polyassay.suites.java_sources import start_jvm


def decide(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, with the reason where one must be judged together; known reasons stay."""
    undecided = [task for task in tasks if task.style is Style.JUNIT and not task.together_because]
    if not undecided:
        return list(tasks)
    planner = _planner()
    return [
        replace(task, together_because=_reason(planner, task))
        if task.style is Style.JUNIT and not task.together_because
        else task
        for task in tasks
    ]


def _reason(planner: Any, task: Task) -> str:
    import jpype

    support = jpype.JClass("java.util.LinkedHashMap")()
    for path, source in task.support.items():
        support.put(path, source)
    superclass = task.extra.get("extends", "")
    return str(
        planner.whyTogether(
            task.class_name, task.signature, superclass, task.context, support, task.test_source
        )
    )


def _planner() -> Any:
    import jpype

    jars = sorted(str(jar) for jar in find_jars().glob("*.jar"))
    for jar in jars:
        jpype.addClassPath(jar)
    start_jvm()
    return jpype.JClass("com.polyassay.compile.Planner")(jpype.JClass("java.util.ArrayList")(jars))
