"""Finds out, without any candidate, whether something is wrong with a task itself.

A setup whose imports fail with the libraries that were chosen, and a pytest file that cannot be
collected or lacks a test that the task lists, are the suite's defects: no tool is blamed for them.
Suites' code is not trusted: all of it runs in a sandbox, as it does beside a candidate.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from polyassay.harness.python.preload import ZygoteSpec
from polyassay.harness.python.together import ask_all
from polyassay.harness.python.zygote import ZygotePool
from polyassay.model import Program, Style, Task, Test
from polyassay.sandbox import Ended, Starved
from polyassay.wording import did_you_mean, some
from polyassay_harness.wire.messages import Limits, Work

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
VETTING_MEMORY_MB = 4096  # all libraries of a suite at once
_LIMITS: Limits = {"seconds": 60.0, "total_seconds": 600.0, "memory_mb": VETTING_MEMORY_MB}
_WITH_SETUP = (Style.FUNCTION, Style.CLASS, Style.SETS)
_IMPORTS = (ast.Import, ast.ImportFrom)
_HARMLESS = (*_IMPORTS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class CollectedTests(NamedTuple):
    """The tests of a pytest file."""

    names: tuple[str, ...]
    disabled: tuple[str, ...] = ()  # by their publisher: no answer has to pass them
    problem: str = ""  # why there are none

    def lacks(self, tests: Iterable[Test]) -> str:
        """The problem of tests that a task lists and pytest did not find; empty if it found all."""
        known = (*self.names, *self.disabled)
        missing = [test.name for test in tests if test.name not in known]
        if not missing:
            return ""
        there = f"it finds {some(self.names)}" if self.names else "it finds none"
        return f"pytest finds no test {some(missing)}; {did_you_mean(missing[0], known)}{there}"


def collect(pool: ZygotePool, spec: ZygoteSpec, work: Work, task: Task) -> CollectedTests:
    """The tests that pytest finds in a task's file.

    The file imports the answer, so it needs one: the reference or, where that is missing or does
    not load, a module that has whatever name is asked of it.
    """
    work = cast(Work, {**work, "tests": [], "collect": True})
    problem = ""
    for program in _stand_ins(task):
        reply = _ask(pool, spec, work, program)
        if "collected" in reply:
            names, disabled = (tuple(map(str, reply[key])) for key in ("collected", "disabled"))
            none = "" if names else "pytest finds no tests in its file"
            return CollectedTests(names, disabled, none)
        problem = problem or str(reply.get("failed") or reply.get("reason"))
    return CollectedTests((), (), problem)


def _stand_ins(task: Task) -> Iterator[Program]:
    """What may stand in for an answer, the best first."""
    main = task.main_file
    if task.reference_files:
        others = {path: text for path, text in task.reference_files.items() if path != main}
        yield Program(task.reference_files.get(main, ""), files=others)
    elif task.reference:
        completes = task.extra.get("reference_form") == "completion"
        yield Program((task.context if completes else "") + task.reference)
    others = {path: _ANY_MODULE for path in task.solution if path != main}
    yield Program(_ANY_MODULE, files=others)


def failing_setups(pool: ZygotePool, spec: ZygoteSpec, tasks: Iterable[Task]) -> dict[str, str]:
    """Pieces of setup → why they fail; those that only need the answer's own names do not."""
    imports, others = set[str](), set[str]()
    for task in tasks:
        if task.style in _WITH_SETUP and task.setup:
            imports |= {code for code, _ in _import_lines(task.setup)}
            if _acts(task.setup):
                others.add(task.setup)
    failing = _failing(pool, spec, sorted(imports), one_process=True)
    return failing | _failing(pool, spec, sorted(others), one_process=False)


def setup_problem(task: Task, failing: Mapping[str, str]) -> str:
    """Why a task cannot be set up, by what was found out before."""
    if task.style not in _WITH_SETUP or not task.setup:
        return ""
    why = failing.get(task.setup, "")
    for code, _ in _import_lines(task.setup):
        why = failing.get(code, why)
    return f"its setup fails with these libraries: {why}" if why else ""


def _import_lines(setup: str) -> Iterator[tuple[str, ast.stmt]]:
    """The imports that stand by themselves; those within a `try` deal with failures themselves."""
    for node in _body(setup):
        if isinstance(node, _IMPORTS):
            yield ast.unparse(node), node


def _acts(setup: str) -> bool:
    """Whether it does more than to import, to define and to name plain values."""
    return not all(
        isinstance(node, _HARMLESS)
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
        for node in _body(setup)
    )


def _body(setup: str) -> Sequence[ast.stmt]:
    try:
        return ast.parse(setup).body
    except (SyntaxError, ValueError):
        return ()  # then every test says so, and the suite's author sees it with the reference


def _failing(
    pool: ZygotePool, spec: ZygoteSpec, codes: Sequence[str], *, one_process: bool
) -> dict[str, str]:
    """Runs pieces of code; imports share a process, because most libraries share theirs."""
    failing: dict[str, str] = {}
    left = list(codes)
    while left:
        reply = _ask(pool, spec, _work(left, one_process=one_process), Program(""))
        results = reply.get("results", ())
        if not results:
            return failing  # nothing could be found out, so no task is called not runnable
        run = [(code, r) for code, r in zip(left, results, strict=True) if r["status"] != "not_run"]
        failing |= {code: why for code, result in run if (why := _why(result))}
        left = left[len(run) :] if run else []
    return failing


def _why(result: Mapping[str, Any]) -> str:
    needs_answer = result.get("type") == "NameError"
    return "" if result["status"] == "passed" or needs_answer else str(result.get("message", ""))


def _work(codes: Sequence[str], *, one_process: bool) -> Work:
    return {
        "task": "setups",
        "style": str(Style.FUNCTION),
        "entry": "",
        "preamble": "",
        "setup": "",
        "source": "",
        "tests": [{"name": str(number), "code": code} for number, code in enumerate(codes)],
        "files": {},
        "build_on_each_other": one_process,
        "believes": False,
        "limits": _LIMITS,
    }


def _ask(pool: ZygotePool, spec: ZygoteSpec, work: Work, program: Program) -> Mapping[str, Any]:
    try:
        with pool.borrow(spec) as zygote:
            (reply,) = ask_all(zygote, work, [program])
    except (Ended, Starved) as ended:
        return {"reason": f"the sandbox ended: it {ended}"}
    return reply
