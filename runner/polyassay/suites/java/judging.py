"""Which Java tasks can be judged apart: decided when a suite is added, from its own sources.

The harness' planner decides, in this process through JPype, by making the stub that the tests
would call: the same code that later runs them, so that both always agree. It sees suites only,
never an answer.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from polyassay.environments.harness_jars import find_jars
from polyassay.model import Style, Task
from polyassay.suites.java.sources import start_jvm


def decide(tasks: Sequence[Task], jars: Sequence[Path] = ()) -> list[Task]:
    """The tasks, with the reason where one must be judged together; known reasons stay.

    The jars are the libraries of all of them.
    """
    undecided = [task for task in tasks if task.style is Style.JUNIT and not task.together_because]
    if not undecided:
        return list(tasks)
    planner = _planner()
    return [
        replace(task, together_because=_reason(planner, task, jars))
        if task.style is Style.JUNIT and not task.together_because
        else task
        for task in tasks
    ]


def _reason(planner: Any, task: Task, jars: Sequence[Path]) -> str:
    import jpype

    support = jpype.JClass("java.util.LinkedHashMap")()
    for path, source in task.support.items():
        support.put(path, source)
    return str(
        planner.whyTogether(
            task.class_name,
            task.signature,
            task.extra.get("extends", ""),
            task.context,
            support,
            task.test_source,
            jpype.JClass("java.util.ArrayList")([str(jar) for jar in jars]),
        )
    )


def _planner() -> Any:
    import jpype

    jars = sorted(str(jar) for jar in find_jars().glob("*.jar"))
    for jar in jars:
        jpype.addClassPath(jar)
    start_jvm()
    return jpype.JClass("com.polyassay.plan.Planner")(jpype.JClass("java.util.ArrayList")(jars))
