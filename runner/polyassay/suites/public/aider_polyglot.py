"""aider's polyglot benchmark from a checkout: Exercism's harder exercises, in Java and in Python.

`.meta/config.json` of an exercise names its solution, test, example (reference) and editor files.
Tests are run as aider runs them: an `@Disabled` with a reason is taken off, and one without stays,
so that no answer has to pass its test.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Limits, Style, Suite, Task
from polyassay.suites.java.sources import JavaClass, complete, parse
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import Manifest, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import parse_json, read_text
from polyassay.wording import listing

EXERCISES = "exercises/practice"
CONFIG = ".meta/config.json"
DOCS = (".docs/introduction.md", ".docs/instructions.md", ".docs/instructions.append.md")
SOURCES = re.compile(r"^(?:\.meta/)?src/(?:main|test|reference)/java/")
MAIN = "src/main/java/"
DISABLED = re.compile(r"@Disabled\([^)]*\)\s*\n")  # as aider takes it off
TOTAL_SECONDS = 180.0  # aider's only limit


@dataclass(frozen=True, slots=True)
class Exercise:
    folder: Path
    files: Fields  # of its configuration: kind → paths

    def texts(self, kind: str) -> dict[str, str]:
        return {path: read_text(self.folder / path) for path in self.files.texts(kind)}

    def prompt(self) -> str:
        """The exercise's own text, in the order in which aider gives it."""
        places = (self.folder / part for part in DOCS)
        return "\n".join(read_text(place).strip() for place in places if place.is_file()) + "\n"


def read(path: Path, name: str | None) -> list[Suite]:
    """Two suites, NAME-java and NAME-python, or one where a checkout has only that."""
    manifest = load_manifest("aider-polyglot")
    name = name or "aider-polyglot"
    makers = {"java": _java, "python": _python}
    there = [language for language in makers if (path / language / EXERCISES).is_dir()]
    if not there:
        raise PolyAssayError(
            f"{path} is no checkout of the polyglot benchmark: it has no java/{EXERCISES}.",
            f"give the root of a clone of {manifest.fields.text('source')} after --from.",
        )
    return [makers[language](path, f"{name}-{language}", manifest) for language in there]


def _exercises(path: Path) -> list[Exercise]:
    found = []
    for folder in sorted(path.glob(f"{EXERCISES}/*")):
        config = folder / CONFIG
        if not config.is_file():
            raise PolyAssayError(f"{folder} has no {CONFIG}.", "use a clean checkout.")
        about = Fields(str(config), parse_json(read_text(config), str(config)))
        found.append(Exercise(folder, about.object("files")))
    return found


def _task(exercise: Exercise, suite: str, manifest: Manifest) -> Task:
    """What both languages have in common."""
    id_ = exercise.folder.name
    seconds = manifest.fields.object("seconds").positive(id_, Limits().seconds)
    return Task(
        id=id_,
        suite=suite,
        language=Language.PYTHON,
        style=Style.PYTEST,
        prompts={"en": exercise.prompt()},
        solution=exercise.texts("solution"),
        cluster=f"exercism/{id_}",
        limits=Limits(seconds=seconds, total_seconds=TOTAL_SECONDS),
    )


def _python(path: Path, suite: str, manifest: Manifest) -> Suite:
    tasks = []
    for exercise in _exercises(path / "python"):
        task = _task(exercise, suite, manifest)
        tests = exercise.texts("test")
        main = next(iter(tests))
        (reference,) = exercise.texts("example").values()
        tasks.append(
            replace(
                task,
                test_source=tests.pop(main),
                support=tests | exercise.texts("editor"),
                reference=reference,
                reference_files={task.main_file: reference},
                extra={"module": PurePosixPath(next(iter(task.solution))).stem},
            )
        )
    return _suite(path, suite, tasks, manifest, libraries={"default": ("pytest",)})


def _java(path: Path, suite: str, manifest: Manifest) -> Suite:
    tasks = [
        _java_task(exercise, _task(exercise, suite, manifest))
        for exercise in _exercises(path / "java")
    ]
    stubs = parse([task.solution[task.main_file] for task in tasks])
    tasks = [
        replace(task, signature=_signature(source.classes, task))
        for task, source in zip(tasks, stubs, strict=True)
    ]
    places = {task.id: str(path / "java" / EXERCISES / task.id) for task in tasks}
    return _suite(path, suite, complete(tasks, places), manifest, jars=_jars(path, manifest))


def _java_task(exercise: Exercise, task: Task) -> Task:
    tests = {_below(name): DISABLED.sub("", text) for name, text in exercise.texts("test").items()}
    editor = {_below(name): text for name, text in exercise.texts("editor").items()}
    main = next(name for name in tests if name.endswith("Test.java"))
    reference = {
        MAIN + _below(name): text
        for name, text in exercise.texts("example").items()
        if _below(name) not in editor
    }
    return replace(
        task,
        language=Language.JAVA,
        style=Style.JUNIT,
        class_name=PurePosixPath(next(iter(task.solution))).stem,
        test_source=tests.pop(main),
        support=editor | tests,
        reference=listing(reference),
        reference_files=reference,
    )


def _below(path: str) -> str:
    return SOURCES.sub("", path)


def _signature(classes: tuple[JavaClass, ...], task: Task) -> str:
    """The only method of the stub that tests can call, behind its constructor; or empty.

    With it such a task can be judged apart.
    """
    (main,) = (each for each in classes if each.name == task.class_name)
    visible = [each for each in main.methods if "private" not in each.signature.split()]
    makers = [each for each in visible if each.name == "<init>"]
    called = [each for each in visible if each.name != "<init>"]
    if len(called) != 1 or len(makers) > 1:
        return ""
    parts = [each.signature.replace("None <init>", main.name) for each in makers if each.parameters]
    return "; ".join([*parts, called[0].signature])


def _jars(path: Path, manifest: Manifest) -> list[Path]:
    wanted = [name for name in manifest.files if name.startswith("lib/")]
    missing = [name for name in wanted if not (path / name).is_file()]
    if missing:
        libraries = " ".join(manifest.fields.texts("libraries"))
        raise PolyAssayError(
            f"{path} has no {missing[0]}, which the Java exercises are built with.",
            f"`tools/suite-jars {path / 'lib'} {libraries}` puts what is missing there.",
        )
    return [path / name for name in wanted]


def _suite(
    path: Path,
    name: str,
    tasks: list[Task],
    manifest: Manifest,
    *,
    libraries: Mapping[str, tuple[str, ...]] | None = None,
    jars: list[Path] | None = None,
) -> Suite:
    language = name.rpartition("-")[2]
    return make_suite(
        name,
        tasks,
        version=manifest.version_of({f: path / f for f in _files(manifest, language)}),
        description=manifest.description,
        **manifest.about,
        libraries=libraries,
        jars=jars or (),
    )


def _files(manifest: Manifest, language: str) -> Iterator[str]:
    """What the suite of one language is read from."""
    own = (language, "lib/") if language == "java" else (language,)
    return (name for name in manifest.files if name.startswith(own))
