"""From a job to class files: the candidate first, and then the tests against it.

Nothing is compiled here. A `Compiling` is a generator: it yields a request for one build after the
other, is sent the result of each, and returns the class files or the problem. `Compiler.carry_out`
(compile.py) passes the requests on to the compile service.
"""

import re
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeVar

from polyassay.harness import Job
from polyassay.harness.java.messages import (
    BuildLayers,
    Diagnostic,
    JudgingPlan,
    LayersBuilt,
    SourceLayer,
)
from polyassay.languages.java import source_path
from polyassay.model import Judging, Program, Task
from polyassay_harness.switches import on

_MAKER = " polyassayMake("  # the adapter's line that makes an object
_TESTS = "Tests.java"  # any name: that of a public class need not match
# Of the support only what calls the candidate, as a suite's own main class does; the plan has the
# class files of any other, because to compile that again for each candidate costs more than the
# candidate does (AixBench: 0.065 of 0.085 s).
_ORDER = ("candidate", "adapter", "support", "tests")
_RESERVED = ("com.polyassay.", "java.", "junit.", "org.junit.", "org.opentest4j.")
_COMPILE_SECONDS = 20.0  # of CPU time, for all compiles of a candidate
_TYPE = re.compile(r"\b(?:class|interface|enum|record)\s+(\w+)")
_SHOWN = 5  # diagnostics in a reason

T = TypeVar("T")
Compiling = Generator[BuildLayers, LayersBuilt, T]


@dataclass(frozen=True, slots=True)
class JavaBuild:
    """Class files ready to run, or the reason why there are none."""

    classes: Mapping[str, bytes] = field(default_factory=dict)
    test_classes: tuple[str, ...] = ()
    problem: str = ""
    own: tuple[str, ...] = ()  # which of the classes are the candidate's


def build_candidate(job: Job, plan: JudgingPlan, judged: Judging) -> Compiling[JavaBuild]:
    """Builds a candidate and what it is judged with; the adapter decides whether it is built."""
    if job.program.problem:
        return JavaBuild(problem=job.program.problem)
    limited = _Limited(job.task, plan)
    at_once = yield from _build_at_once(limited, job, plan, judged)
    return at_once or (yield from _build_in_layers(limited, job, plan, judged))


def class_files(task: Task, plan: JudgingPlan, program: Program) -> Compiling[Mapping[str, bytes]]:
    """The class files of a program's own sources; none if they do not compile."""
    built = yield from _Limited(task, plan).build((SourceLayer(sources_of(task, program)),))
    return {} if built.problem or built.failed >= 0 else built.layers[0].classes


class _Limited:
    """The builds of one candidate, which have one allowance of CPU time."""

    def __init__(self, task: Task, plan: JudgingPlan) -> None:
        self._task = task
        self._plan = plan
        self._named = named_by(task)
        self._left = _COMPILE_SECONDS

    def build(self, layers: tuple[SourceLayer, ...]) -> Compiling[LayersBuilt]:
        task, plan = self._task, self._plan
        built = yield BuildLayers(
            class_name=task.class_name,
            method=method_name(task.signature),
            named=self._named,
            jars=plan.jars,
            given=plan.support,
            layers=layers,
            cpu_seconds=self._left,
        )
        self._left = max(self._left - built.cpu_seconds, 1.0)
        return built


def named_by(task: Task) -> tuple[str, ...]:
    """Classes that the task itself asks for, by their simple names: its tests may well mean them.

    Any other class of an answer must not take the place of one that the tests import.
    """
    sources = (task.reference, *task.reference_files.values(), task.signature)
    files = {PurePosixPath(path).stem for path in task.solution}
    return tuple(sorted(files.union(*map(_TYPE.findall, sources))))


def _build_at_once(
    limited: _Limited, job: Job, plan: JudgingPlan, judged: Judging
) -> Compiling[JavaBuild | None]:
    """Candidate and adapter in one go, to be run with tests that were compiled before.

    Gain: `tools/bench-java --without compile_once`, see docs/benchmarks.md.

    None where that says too little: where it does not compile, or where the tests, which were
    compiled against the stub, would be other code if they were compiled against this candidate
    (another overload is chosen, say).
    """
    task = job.task
    if not plan.classes or not plan.adapter_class or not on("compile_once"):
        return None
    sources = {**sources_of(job.task, job.program), _path(plan.adapter_name): plan.adapter}
    built = yield from limited.build((SourceLayer(sources),))
    if built.problem:
        return JavaBuild(problem=built.problem)  # and would be, once more, in layers
    if built.failed >= 0:
        return None
    own = dict(built.layers[0].classes)
    adapter = own.pop(plan.adapter_name)
    apart = judged is Judging.APART
    if not apart and adapter != plan.adapter_class:
        return None
    if problem := trespass(task, own, {*plan.support, *plan.classes}):
        return JavaBuild(problem=problem)
    if apart:
        classes = {**_workers(task, plan.support), plan.adapter_name: adapter, **own}
    else:
        classes = {**plan.support, **plan.classes, plan.adapter_name: adapter, **own}
    return JavaBuild(classes, plan.test_classes, own=tuple(own))


def _build_in_layers(
    limited: _Limited, job: Job, plan: JudgingPlan, judged: Judging
) -> Compiling[JavaBuild]:
    """Compiles candidate, adapter and tests, each against the support and those before it.

    Judged apart, a candidate is never compiled with the tests: the adapter decides alone.
    """
    task = job.task
    adapter = {_path(plan.adapter_name): plan.adapter} if plan.adapter else {}
    tests = {_TESTS: task.test_source} if judged is Judging.TOGETHER else {}
    # Support that calls the candidate is on the tests' side, and no worker's to see.
    support = {} if plan.support_first or judged is Judging.APART else task.support
    parts = {
        "support": SourceLayer(support, junit=True),
        "candidate": SourceLayer(sources_of(job.task, job.program)),
        "adapter": SourceLayer(adapter, junit=True),
        "tests": SourceLayer(tests, junit=True),
    }
    built = yield from limited.build(tuple(parts[name] for name in _ORDER))
    if built.failed >= 0 or built.problem:
        failed = "candidate" if built.failed < 0 else _ORDER[built.failed]
        return JavaBuild(problem=_reason(job, plan, built, failed))
    classes = {name: each.classes for name, each in zip(_ORDER, built.layers, strict=True)}
    own, test = classes.pop("candidate"), classes["tests"]
    others = dict(plan.support)
    for part in classes.values():
        others |= part
    if problem := trespass(task, own, {*others, *plan.classes}):
        return JavaBuild(problem=problem)
    if judged is Judging.APART:
        others = {**_workers(task, plan.support), **classes["adapter"]}
    test_classes = tuple(name for name in test if "$" not in name)
    return JavaBuild({**others, **own}, test_classes or plan.test_classes, own=tuple(own))


def sources_of(task: Task, program: Program) -> dict[str, str]:
    """All files of a program, by the paths that a compiler expects."""
    others = {source_path(path): text for path, text in program.files.items()}
    return {_path(task.class_name): program.source, **others}


def _path(class_name: str) -> str:
    return class_name.replace(".", "/") + ".java"


def _workers(task: Task, support: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The part of the support that a worker sees: the candidate's base class, if it has one."""
    if "extends" not in task.extra:
        return support
    reach = _reachable(task.extra["extends"], support)
    return {name: code for name, code in support.items() if name in reach}


def _reachable(start: str, classes: Mapping[str, bytes]) -> set[str]:
    """A class and all that it mentions, at any remove: the rest belongs to the tests alone."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in found or name not in classes:
            continue
        found.add(name)
        code = classes[name]
        waiting += [other for other in classes if other.replace(".", "/").encode() in code]
    return found


def method_name(signature: str) -> str:
    """The name of the method that a signature declares; empty where there is none."""
    found: list[str] = re.findall(r"(\w+)\s*\(", signature)  # a constructor may stand before it
    return found[-1] if found else ""


def trespass(task: Task, own: Iterable[str], others: set[str]) -> str:
    """Which class a candidate defines that is not its own to define, or lacks.

    `own` and `others` are names of compiled classes: the candidate's, and the tests' and support's.
    Every engine asks here, so that none lets a candidate replace a class that judges it.
    """
    defined = sorted(own)
    if task.class_name not in defined:
        found = ", ".join(defined) or "no class"
        return f"expected the class {task.class_name}, found {found}"
    for name in defined:
        # The stub has the name of the candidate's class, and gives way to it.
        if name in others and name.partition("$")[0] != task.class_name:
            return f"the answer defines {name}, which belongs to the tests"
        if name.startswith(_RESERVED):
            return f"the answer defines {name}, whose package is not the answer's to extend"
    return ""


def _reason(job: Job, plan: JudgingPlan, built: LayersBuilt, failed: str) -> str:
    task, program = job.task, job.program
    if built.problem:
        return built.problem
    if failed == "adapter":
        lines = plan.adapter.splitlines()
        if all(_MAKER in lines[each.line - 1] for each in built.diagnostics):
            return "the tests cannot make an object of it: " + built.diagnostics[0].message
        found = "; ".join(built.found) or f"no method {method_name(task.signature)}"
        return f"expected signature {task.signature}, found {found}"
    path = _path(task.class_name)
    shown = [_describe(each, program, path) for each in built.diagnostics[:_SHOWN]]
    if len(built.diagnostics) > _SHOWN:
        shown.append(f"and {len(built.diagnostics) - _SHOWN} more")
    start = "the tests do not compile against it: " if failed in ("support", "tests") else ""
    return start + "\n".join(shown)


def in_lines(message: Iterable[str]) -> str:
    """A compiler's message; details (a symbol, a location) are indented lines of their own."""
    return "\n  ".join(filter(None, (" ".join(line.split()) for line in message)))


def _describe(diagnostic: Diagnostic, program: Program, path: str) -> str:
    message = in_lines(diagnostic.message.splitlines())
    line = diagnostic.line - program.first_line + 1
    if diagnostic.source != path or program.files:
        return f"{diagnostic.source}:{diagnostic.line}: {message}"
    if line < 1:
        return f"before the answer's first line: {message}"
    return f"line {line}, column {diagnostic.column}: {message}"
