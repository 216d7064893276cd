"""From a job to class files: the candidate first, and then the tests against it."""

import re
from dataclasses import dataclass, field

from polyassay.harness import Job
from polyassay.harness.java_compile import Build, Compiler, Diagnostic, Layer, Plan
from polyassay.model import Judging, Program, Task

_ADAPTER, _TESTS = "Adapter.java", "Tests.java"  # any name: that of a public class need not match
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
    later = (Layer(adapter, junit=True), Layer(tests, junit=True))
    alone = (Layer(task.support, kept=True, junit=True), Layer({path: program.source}), *later)
    build = compiler.build(task.class_name, method_name(task.signature), alone)
    if build.failed == 0:
        # Support that needs the candidate itself can only be compiled with it.
        mixed = Layer({**task.support, path: program.source}, junit=True)
        layers = (Layer({}), mixed, *later)
        build = compiler.build(task.class_name, method_name(task.signature), layers)
    if build.failed is not None or build.problem:
        return JavaBuild(problem=_reason(task, program, path, build))
    support, own, adapted, test = build.classes
    if problem := _trespass(task, own, {**support, **adapted, **test, **plan.classes}):
        return JavaBuild(problem=problem)
    test_classes = tuple(name for name in test if "$" not in name)
    return JavaBuild({**own, **support, **adapted, **test}, test_classes or plan.test_classes)


def method_name(signature: str) -> str:
    """The name of the method that a signature declares; empty where there is none."""
    found = re.search(r"(\w+)\s*\(", signature)
    return found[1] if found else ""


def _trespass(task: Task, own: dict[str, bytes], others: dict[str, bytes]) -> str:
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


def _reason(task: Task, program: Program, path: str, build: Build) -> str:
    if build.problem:
        return build.problem
    if build.failed == 2:
        found = "; ".join(build.found) or f"no method {method_name(task.signature)}"
        return f"expected signature {task.signature}, found {found}"
    shown = [_describe(each, program, path) for each in build.diagnostics[:_SHOWN]]
    if len(build.diagnostics) > _SHOWN:
        shown.append(f"and {len(build.diagnostics) - _SHOWN} more")
    start = "the tests do not compile against it: " if build.failed == 3 else ""
    return start + "; ".join(shown)


def _describe(diagnostic: Diagnostic, program: Program, path: str) -> str:
    message = " ".join(diagnostic.message.split())
    line = diagnostic.line - program.first_line + 1
    if diagnostic.source != path:
        return f"{diagnostic.source}:{diagnostic.line}: {message}"
    if line < 1:
        return f"before the answer's first line: {message}"
    return f"line {line}, column {diagnostic.column}: {message}"
