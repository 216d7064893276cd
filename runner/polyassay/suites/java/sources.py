"""What a Java suite's sources say, read by the JDK's own parser.

JPype runs it inside this process, started once and only when a Java suite is read. It sees suites'
files only, which their user chose to add; answers are hostile text and never come here.
"""

import functools
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from polyassay.errors import PolyAssayError, all_told
from polyassay.model import Style, Task, Test
from polyassay.suites.native.fields import NOTHING_ADDED
from polyassay.wording import some

# A test is a method, and whatever it repeats or makes as it runs must pass for it to pass.
TESTS = {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}
SWITCHED_OFF = {"Disabled", "Ignore"}  # JUnit's, and JUnit 4's
_CONSTRUCTOR = re.compile(r"(?:^|;)\s*(?:(?:public|protected|private)\s+)?([A-Z]\w*)\s*\(")
_JUNIT_4 = re.compile(r"\bimport\s+org\.junit\.(?:Test|\*)\s*;")
# Where one of several declarations ends that stand in lines of their own.
_LINE_END = re.compile(r"\)[ \t]*\n(?=\s*(?!throws\b)\w)")


@dataclass(frozen=True, slots=True)
class Method:
    name: str
    parameters: tuple[str, ...]  # types as written
    returns: str
    annotations: frozenset[str]  # simple names
    signature: str  # on one line, without annotations
    modifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class JavaClass:
    name: str
    methods: tuple[Method, ...]
    nested: tuple["JavaClass", ...] = ()
    kind: str = "class"
    annotations: frozenset[str] = frozenset()  # with those of the classes around it
    modifiers: frozenset[str] = frozenset()
    outer: str = ""  # the class around it

    def all_methods(self) -> Iterator[Method]:
        """Its own methods and those of the classes within, in the file's order of classes."""
        for each in self.with_nested():
            yield from each.methods

    def with_nested(self) -> Iterator["JavaClass"]:
        """The class and all within it."""
        yield self
        for inner in self.nested:
            yield from inner.with_nested()


@dataclass(frozen=True, slots=True)
class JavaSource:
    """One file: what it declares, or the first thing that the parser did not like."""

    package: str
    classes: tuple[JavaClass, ...]
    problem: str = ""


def parse(sources: Sequence[str]) -> list[JavaSource]:
    """All at once, because a JVM that has parsed one file parses a hundred in no time."""
    with tempfile.TemporaryDirectory(prefix="polyassay-") as folder:
        paths = [Path(folder, f"S{index}.java") for index in range(len(sources))]
        for path, text in zip(paths, sources, strict=True):
            path.write_text(text, "utf-8")
        return _parse_files([str(path) for path in paths])


class _Misfit(Exception):
    """What is wrong with a task, without the place."""


def complete(
    tasks: Sequence[Task], places: Mapping[str, str], mistakes: Sequence[PolyAssayError] = ()
) -> list[Task]:
    """JUnit tasks with their tests' names; refuses what could never be judged.

    `places` says where each task stands, by its id, for complaints; `mistakes` were found before
    in other tasks, and are told together with those that are found here.
    """
    found = list(mistakes)
    java = [task for task in tasks if task.style is Style.JUNIT]
    done = _completed(java, places, found) if java else {}
    if found:
        raise all_told(found)
    return [done.get(task.id, task) for task in tasks]


def _completed(
    java: Sequence[Task], places: Mapping[str, str], mistakes: list[PolyAssayError]
) -> dict[str, Task]:
    parsed = parse([t.test_source for t in java] + [as_class(t.signature) for t in java])
    done: dict[str, Task] = {}
    for task, tests, signature in zip(java, parsed, parsed[len(java) :], strict=False):
        try:
            if signature.problem:
                raise _Misfit(f'"signature" is not Java: {signature.problem}')
            _check_class_name(task)
            done[task.id] = _with_tests(task, tests)
        except _Misfit as misfit:
            mistakes.append(PolyAssayError(f"{places[task.id]}: {misfit}.", NOTHING_ADDED))
    return done


def _with_tests(task: Task, source: JavaSource) -> Task:
    if source.problem:
        raise _Misfit(f'"test_source" is not Java: {source.problem}')
    classes = [each for found in source.classes for each in found.with_nested()]
    tests = [
        (each, method) for each in classes for method in each.methods if method.annotations & TESTS
    ]
    names = [method.name for _, method in tests]
    switched_off = {
        method.name
        for each, method in tests
        if (each.annotations | method.annotations) & SWITCHED_OFF
    }
    if not names:
        raise _Misfit('"test_source" has no method with @Test')
    if len(set(names)) < len(names):
        raise _Misfit('"test_source" has two tests of the same name')
    declared = [test.name for test in task.tests]
    if unknown := sorted(set(declared) - set(names)):
        raise _Misfit(
            f'"tests" names {unknown[0]}, and "test_source" has no such method with @Test; '
            f"it has {some(names)}"
        )
    if declared and (unnamed := sorted(set(names) - set(declared))):
        raise _Misfit(f'"tests" does not name {unnamed[0]}, which "test_source" has')
    expected = declared or [name for name in names if name not in switched_off]
    if not expected:
        raise _Misfit('all tests of "test_source" are switched off')
    for each, method in tests:
        if method.name in expected and (why := never_run(each, method, task.test_source)):
            raise _Misfit(f'"test_source" has the test {method.name}, which never runs: {why}')
    return replace(task, tests=tuple(map(Test, expected)))


def never_run(owner: JavaClass, test: Method, source: str) -> str:
    """Why JUnit passes a test over, whatever is tested; empty where it runs it."""
    if found := {"private", "static"} & test.modifiers:
        return f"it is {found.pop()}"
    if "TestFactory" not in test.annotations and test.returns != "void":
        return "it returns something"
    if "RunWith" in source:
        return ""  # a runner of its own decides
    if _JUNIT_4.search(source) and "public" not in test.modifiers & owner.modifiers:
        return "JUnit 4 wants it public, and its class as well"
    # Where another class extends its own, it may well run there.
    if re.search(rf"\b(?:extends|implements)\s[^{{]*\b{owner.name}\b", source):
        return ""
    if owner.kind in ("interface", "enum") or "abstract" in owner.modifiers:
        return f"no object can be made of {owner.name}"
    runs = "Nested" in owner.annotations and not {"private", "static"} & owner.modifiers
    return f"{owner.name} is not @Nested" if owner.outer and not runs else ""


def _check_class_name(task: Task) -> None:
    simple = task.simple_class_name
    sources = (task.test_source, *task.support.values())
    if not any(re.search(rf"\b{re.escape(simple)}\b", source) for source in sources):
        raise _Misfit(f'"test_source" never mentions {simple}, the task\'s "class_name"')


def as_class(signature: str) -> str:
    """A compilation unit that parses exactly where the signature does.

    A signature is a class's head, or the declarations of one or more of its members.
    """
    bare = signature.strip().rstrip("{;").strip()
    if re.search(r"\b(class|interface|record|enum)\s+\w", bare.partition("(")[0]):
        return bare if bare.endswith("}") else bare + " {}"
    if not bare:
        return "class Signature {}"
    constructor = _CONSTRUCTOR.search(bare)
    name = constructor[1] if constructor else "Signature"
    ended = _LINE_END.sub(");\n", bare)
    return f"abstract class {name} {{ {ended}" + (" ;" if "abstract" in bare else " {}") + " }"


def _parse_files(paths: list[str]) -> list[JavaSource]:
    import jpype  # not at the top: it costs a tenth of a second, and few commands need it

    compiler = _compiler()
    diagnostics = jpype.JClass("javax.tools.DiagnosticCollector")()
    files = compiler.getStandardFileManager(diagnostics, None, None)
    array_list = jpype.JClass("java.util.ArrayList")
    objects = files.getJavaFileObjectsFromStrings(array_list(paths))
    options = array_list(["-proc:none", "-encoding", "UTF-8"])
    try:
        units = compiler.getTask(None, files, diagnostics, options, None, objects).parse()
        found = {str(unit.getSourceFile().getName()): _source(unit) for unit in units}
        problems = {}
        for entry in reversed(list(diagnostics.getDiagnostics())):
            if str(entry.getKind()) == "ERROR" and entry.getSource() is not None:
                message = str(entry.getMessage(None)).splitlines()[0]
                problems[str(entry.getSource().getName())] = (
                    f"line {entry.getLineNumber()}: {message}"
                )
        empty = JavaSource("", ())
        return [replace(found.get(p, empty), problem=problems.get(p, "")) for p in paths]
    finally:
        files.close()


def _source(unit: Any) -> JavaSource:
    package = unit.getPackageName()
    classes = tuple(_java_class(tree) for tree in unit.getTypeDecls() if _is_class(tree))
    return JavaSource("" if package is None else str(package), classes)


def _java_class(tree: Any, outer: str = "", around: frozenset[str] = frozenset()) -> JavaClass:
    members = list(tree.getMembers())
    name = str(tree.getSimpleName())
    own = _annotations(tree)
    inherited = (around | own) & SWITCHED_OFF
    return JavaClass(
        name,
        tuple(_method(member) for member in members if str(member.getKind()) == "METHOD"),
        tuple(_java_class(member, name, inherited) for member in members if _is_class(member)),
        str(tree.getKind()).lower(),
        around | own,
        _modifiers(tree),
        outer,
    )


def _annotations(tree: Any) -> frozenset[str]:
    """Their simple names."""
    found = (str(a.getAnnotationType()) for a in tree.getModifiers().getAnnotations())
    return frozenset(name.rpartition(".")[2] for name in found)


def _modifiers(tree: Any) -> frozenset[str]:
    return frozenset(str(flag) for flag in tree.getModifiers().getFlags())


def _is_class(tree: Any) -> bool:
    return str(tree.getKind()) in {"CLASS", "INTERFACE", "RECORD", "ENUM"}


def _method(tree: Any) -> Method:
    return Method(
        str(tree.getName()),
        tuple(str(parameter.getType()) for parameter in tree.getParameters()),
        str(tree.getReturnType()),
        _annotations(tree),
        _signature(tree),
        _modifiers(tree),
    )


def _signature(tree: Any) -> str:
    generic = ", ".join(str(parameter) for parameter in tree.getTypeParameters())
    parameters = ", ".join(str(parameter) for parameter in tree.getParameters())
    thrown = ", ".join(str(name) for name in tree.getThrows())
    words = [str(flag) for flag in tree.getModifiers().getFlags()]
    words += [f"<{generic}>"] * bool(generic)
    words += [f"{tree.getReturnType()} {tree.getName()}({parameters})"]
    return " ".join(words + [f"throws {thrown}"] * bool(thrown))


def start_jvm() -> None:
    """For those who use other classes of the JVM; it starts once, with the first who need it."""
    _compiler()


@functools.cache
def _compiler() -> Any:
    """The JDK's compiler, in this process; a JVM cannot be started twice in one process."""
    import jpype
    import jpype.config

    library = _jvm_library()
    # Taking the JVM down would hang a process that was forked from this one, and wins nothing.
    jpype.config.onexit = jpype.config.destroy_jvm = False
    # -Xrs leaves the signals to Python: Ctrl-C must still end the program in order.
    options = ("-Xrs", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    try:
        jpype.startJVM(str(library), *options, convertStrings=True)
    except (OSError, RuntimeError) as error:
        raise PolyAssayError(
            f"The JDK of {library} does not start: {error}.", NO_JDK_HINT
        ) from None
    compiler = jpype.JClass("javax.tools.ToolProvider").getSystemJavaCompiler()
    if compiler is None:
        raise PolyAssayError("The Java found here has no compiler.", NO_JDK_HINT)
    return compiler


NO_JDK_HINT = "install JDK 17 or later, or set JAVA_HOME to one; then run `polyassay doctor`."


def _jvm_library() -> Path:
    """JAVA_HOME's, else that of the java on PATH: the same JDK that will judge."""
    java = shutil.which("java")
    homes = [os.environ.get("JAVA_HOME"), str(Path(java).resolve().parents[1]) if java else None]
    for home in filter(None, homes):
        for library in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll"):
            if Path(home, library).is_file():
                return Path(home, library)
    raise PolyAssayError("No JDK found.", NO_JDK_HINT)
