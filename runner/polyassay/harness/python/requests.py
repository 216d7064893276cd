"""The messages that tell the Python processes about a task and a candidate."""

import ast
import random
import re
from collections.abc import Sequence
from typing import cast

from polyassay import model
from polyassay.model import Program, Style, Task
from polyassay_harness import switches
from polyassay_harness.testing.precompiled import packed
from polyassay_harness.testing.runner import filename_of
from polyassay_harness.wire.messages import JudgeRequest, Test, Work

_HEAD = re.compile(r"(?m)^(?:@.*\n)*(?:async )?(?:def|class) +(\w+)")
_FEW_TESTS = 4  # beyond that, one load and a fork for each test cost less than a load for each


def work_of(task: Task, shake: int = 0) -> Work:
    """The part of the message that all candidates of a task have in common."""
    work: Work = {
        "task": f"{task.suite}/{task.id}",
        "style": str(task.style),
        "entry": task.entry,
        "preamble": preamble(task),
        "setup": task.setup,
        # A program's expected output stays here, out of its reach.
        "tests": [
            {"name": test.name, "code": test.code, "stdin": test.stdin}
            for test in _in_some_order(task, shake)
        ],
        "files": dict(task.data_files),
        "build_on_each_other": task.tests_build_on_each_other,
        "believes": task.together_by_author,
        "limits": {
            "seconds": task.limits.seconds,
            "total_seconds": task.limits.total_seconds,
            "memory_mb": task.limits.memory_mb,
        },
    }
    if task.style is Style.PYTEST:
        work["test_source"] = task.test_source
        work["support"] = dict(task.support)
        work["reordered"] = bool(shake)
        work["module"] = task.extra.get("module") or _main_module(task)
    return work


def of_program(work: Work, program: Program) -> Work:
    """The message for one candidate."""
    own: Work = {"source": program.source, "first_line": program.first_line}
    if program.files:
        own["modules"] = dict(program.files)
    return cast(Work, {**work, **own})


def _in_some_order(task: Task, shake: int) -> Sequence[model.Test]:
    """The file's, or another where one is shaken that has no order of its own."""
    if not shake or task.tests_build_on_each_other:
        return task.tests
    return random.Random(shake).sample(task.tests, len(task.tests))  # noqa: S311


def without_tests(work: Work) -> Work:
    """The message for a worker, which gets neither the tests nor a part of their text."""
    return cast(Work, {**work, "tests": [], "preamble": ""})


def compiled_tests(work: Work) -> list[Test]:
    """The tests, compiled as most candidates will want them."""
    if work["style"] not in ("function", "class") or not switches.on("compiled_tests"):
        return work["tests"]
    compares = work["style"] == "class"
    entry = work["entry"] if compares else ""
    return [
        {
            **test,
            "compiled": packed(
                test["code"], filename_of(test["name"]), compares=compares, entry=entry
            ),
        }
        for test in work["tests"]
    ]


def judge_request(work: Work, *, apart: bool, nests: bool) -> JudgeRequest:
    """The message to a zygote, which has no text of the candidate or of its tests."""
    return {
        "style": work["style"],
        "apart": apart,
        "tests": len(work["tests"]),
        "fork_per_test": nests and _has_fork_per_test(work),
        "own_network": _names_sockets(work),
        "limits": work["limits"],
    }


def _names_sockets(work: Work) -> bool:
    """Such a program may want a port that the candidate before it has used."""
    others = (*work.get("modules", {}).values(), *(test["code"] for test in work["tests"]))
    codes = (work["source"], work["setup"], *others)
    return any("socket" in code for code in codes)


def _has_fork_per_test(work: Work) -> bool:
    few = len(work["tests"]) <= _FEW_TESTS and not work["build_on_each_other"]
    return few and work["style"] in ("function", "class") and switches.on("fork_per_test")


def _main_module(task: Task) -> str:
    """The main solution file as a module; without solution files, the name that tests import."""
    return task.main_file.removesuffix(".py").replace("/", ".") or "answer"


def preamble(task: Task) -> str:
    """The code of the task's context before the entry: imports and helpers of the tests."""
    heads = (head for head in _HEAD.finditer(task.context) if head[1] == task.entry)
    head = next(heads, None)
    code = task.context[: head.start()] if head else ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code
