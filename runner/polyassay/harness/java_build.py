"""From a job to class files: the candidate first, and then the tests against it."""

import re
from dataclasses import dataclass, field

from polyassay.harness import Job
from polyassay.harness.java_compile import Build, Compiler, Diagnostic, Layer, Plan
from polyassay.model import Judging, Program, Task

_ADAPTER, _TESTS = "Adapter.java", "Tests.java"  # any name: that of a public class need not match
# Support that calls the candidate, as a suite's own main class does, comes after it.
_ORDER = ("support", "candidate", "adapter", "tests")
_CANDIDATE_FIRST = ("candidate", "adapter", "support", "tests")
_RESERVED = ("com.polyassay.", "java.", "junit.", "org.junit.", "org.opentest4j.")
_SHOWN = 5  # diagnostics in a reason


@dataclass(frozen=True, slots=True)
class JavaBuild:
    """Class files ready to run, or the reason why there are none."""

    classes: dict[str, bytes] = field(default_factory=dict)
    test_classes: tuple[str, ...] = ()
    problem: str = ""


def build_candidate(compiler: Compiler, job: Job, plan: Plan, judged: Judging) -> JavaBuild:
    """Compiles support, candidate, adapter and tests, each against those before it.

    Judged apart, a candidate is never compiled with the tests: the adapter decides alone.
    """
    task, program = job.task, job.program
    if program.problem:
        return JavaBuild(problem=program.problem)
    path = task.class_name.replace(".", "/") + ".java"
    adapter = {_ADAPTER: plan.adapter} if plan.adapter else {}
    tests = {_TESTS: task.test_source} if judged is Judging.TOGETHER else {}
    # Support that calls the candidate is on the tests' side, and no worker's to see.
    support = task.support if plan.support_first or judged is Judging.TOGETHER else {}
    parts = {
        "support": Layer(support, kept=plan.support_first, junit=True),
        "candidate": Layer({path: program.source}),
        "adapter": Layer(adapter, junit=True),
        "tests": Layer(tests, junit=True),
    }
    order = _ORDER if plan.support_first else _CANDIDATE_FIRST
    layers = tuple(parts[name] for name in order)
    build = compiler.build(task.class_name, method_name(task.signature), layers)
    if build.failed is not None or build.problem:
        failed = "candidate" if build.failed is None else order[build.failed]
        return JavaBuild(problem=_reason(task, program, path, build, failed))
    classes = dict(zip(order, build.classes, strict=True))
    own, test = classes.pop("candidate"), classes["tests"]
    others = {name: code for part in classes.values() for name, code in part.items()}
    if problem := _trespass(task, own, {*others, *plan.classes} - {task.class_name}):
        return JavaBuild(problem=problem)
    if judged is Judging.APART and "extends" in task.extra:
        reach = _reachable(task.extra["extends"], others) | {plan.adapter_name}
        others = {name: code for name, code in others.items() if name in reach}
    test_classes = tuple(name for name in test if "$" not in name)
    return JavaBuild({**own, **others}, test_classes or plan.test_classes)


def _reachable(start: str, classes: dict[str, bytes]) -> set[str]:
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
    found = re.search(r"(\w+)\s*\(", signature)
    return found[1] if found else ""


def _trespass(task: Task, own: dict[str, bytes], others: set[str]) -> str:
    """What a candidate defines that is not its own, or lacks."""
    if task.class_name not in own:
        found = ", ".join(sorted(own)) or "no class"
        return f"expected the class {task.class_name}, found {found}"
    for name in own:
        if name in others and name.partition("$")[0] != task.class_name:
            return f"the answer defines {name}, which belongs to the tests"
        if name.startswith(_RESERVED):
            return f"the answer defines {name}, whose package is not the answer's to extend"
    return ""


def _reason(task: Task, program: Program, path: str, build: Build, failed: str) -> str:
    if build.problem:
        return build.problem
    if failed == "adapter":
        found = "; ".join(build.found) or f"no method {method_name(task.signature)}"
        return f"expected signature {task.signature}, found {found}"
    shown = [_describe(each, program, path) for each in build.diagnostics[:_SHOWN]]
    if len(build.diagnostics) > _SHOWN:
        shown.append(f"and {len(build.diagnostics) - _SHOWN} more")
    start = "the tests do not compile against it: " if failed in ("support", "tests") else ""
    return start + "; ".join(shown)


def _describe(diagnostic: Diagnostic, program: Program, path: str) -> str:
    message = " ".join(diagnostic.message.split())
    line = diagnostic.line - program.first_line + 1
    if diagnostic.source != path:
        return f"{diagnostic.source}:{diagnostic.line}: {message}"
    if line < 1:
        return f"before the answer's first line: {message}"
    return f"line {line}, column {diagnostic.column}: {message}"
