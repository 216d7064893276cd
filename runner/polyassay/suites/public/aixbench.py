"""AixBench from a checkout of its repository: 175 tasks with evaluations, and 161 for graders.

Its tests are no JUnit tests: `EvaluationN.evaluation()` loads the candidate's class by name and
returns how many of how many cases passed. Here it runs once, and a generated JUnit class turns its
counts into cases: as many as a well-behaved candidate would meet, because some evaluations count
fewer when the candidate throws. Which cases passed is not known; the first ones are said to have.
What an evaluation saw of those that failed is noted while it runs (`suites/java/watching.py`).
"""

import base64
import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.java.sources import Method, as_class, parse
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import Manifest, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl, read_text

JAVA, RESOURCES, JARS = "src/main/java", "src/main/resources", "lib/*.jar"
PACKAGE = "com.aixcode.autoTest"
BASE = f"{PACKAGE}.GenerateMethodBase"
CANDIDATES = f"{PACKAGE}.generate.candidate"
PREFIX = "GenerateMethod"
# An evaluation takes from these what it mentions; one mentions a class of the published candidates.
SOURCES = (
    "com/aixcode/autoTest/*.java",
    "com/aixcode/autoTest/evaluation/*.java",
    "com/aixcode/autoTest/generate/copilot/*.java",
    "com/aixcode/sampleHelper/**/*.java",
)
# What evaluations find in their working directory, which looks like the repository's root.
WORKING_FILES = (f"{RESOURCES}/tempFile/**/*", f"{JAVA}/com/aixcode/autoTest/Executor.java")

TEST_SOURCE = """\
package {package};

import {package}.evaluation.Evaluation{id};
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case i of what Evaluation{id} counts; it runs once, in whichever test comes first. */
class Evaluation{id}Test {{
  private static final int TOTAL = {total};
  private static int[] counts;
  private static List<String> notes = List.of();
  private static Throwable problem;

{tests}
  private static synchronized void check(int index) throws Throwable {{
    if (counts == null && problem == null) {{
      try {{
        Evaluation{id} evaluation =
            new Evaluation{id}("{candidates}", "{prefix}");
        counts = evaluation.evaluation();
        notes = evaluation.{notes}();
      }} catch (Throwable thrown) {{
        problem = thrown;
      }}
    }}
    if (problem != null) {{
      throw problem;
    }}
    if (counts == null || counts.length != 2 || counts[1] == 0) {{
      throw new AssertionError("the evaluation counted nothing");
    }}
    int total = Math.max(TOTAL, counts[1]);
    int failed = total - counts[0];
    int place = index - (TOTAL - failed);
    if (counts[0] > total || place >= 0) {{
      boolean oneEach = notes.size() == failed;
      throw failure("the evaluation counted " + counts[0] + " of " + total,
          oneEach ? notes.subList(place, place + 1) : notes);
    }}
  }}

  /** Says what the evaluation saw; a note is a line's number, a tab and a sentence. */
  private static AssertionError failure(String words, List<String> seen) {{
    StringBuilder all = new StringBuilder(seen.size() == 1 ? "" : words);
    for (String note : seen) {{
      all.append(seen.size() == 1 ? "" : all.length() == words.length() ? ": " : "; ");
      all.append(note, note.indexOf('\t') + 1, note.length());
    }}
    AssertionError error = new AssertionError(all.toString());
    if (seen.size() > 0) {{
      int line = Integer.parseInt(seen.get(0).substring(0, seen.get(0).indexOf('\t')));
      String name = Evaluation{id}.class.getName();
      error.setStackTrace(
          new StackTraceElement[] {{
            new StackTraceElement(name, "evaluation", "Evaluation{id}.java", line)
          }});
    }}
    return error;
  }}
}}
"""


def read(path: Path, name: str | None) -> list[Suite]:
    """Two suites: the automated tasks, and those that people grade."""
    manifest = load_manifest("aixbench")
    name = name or "aixbench"
    if not (path / RESOURCES).is_dir():
        raise PolyAssayError(
            f"{path} is no checkout of AixBench: it has no {RESOURCES}.",
            f"give the root of a clone of {manifest.fields.text('source')} after --from.",
        )
    manual = f"{name}-manual"
    make = functools.partial(
        make_suite,
        version=manifest.version_of({file: path / file for file in manifest.files}),
        **manifest.about,
    )
    return [
        make(
            name,
            _automated(path, name, manifest),
            description=manifest.description,
            jars=sorted(path.glob(JARS)),
        ),
        make(manual, _manual(path, manual), description="AixBench's tasks without tests"),
    ]


def prompt_language(text: str) -> str:
    """Chinese where the text has a Chinese character, else English: the suite does not say."""
    return "zh" if re.search(r"[\u3400-\u9fff]", text) else "en"


def _manual(path: Path, suite: str) -> list[Task]:
    return [
        Task(
            id=row.id,
            suite=suite,
            language=Language.JAVA,
            style=Style.RUBRIC,
            prompts={prompt_language(row.prompt): row.prompt},
        )
        for row in _rows(path / RESOURCES / "dataset_manual_nl.jsonl")
    ]


def _automated(path: Path, suite: str, manifest: Manifest) -> list[Task]:
    rows = list(_rows(path / RESOURCES / "dataset_autotest_nl.jsonl"))
    signatures = _instance_signatures(rows, read_text(_source_path(path, BASE)))
    sources = _sources(path)
    totals, tags = _by_task(manifest, "cases"), _by_task(manifest, "tags")
    published = _by_task(manifest, "published_totals")
    offline_never = _by_task(manifest, "needs")
    working_files = _working_files(path)
    tasks = []
    for row in rows:
        if row.id not in totals:
            row.fields.refuse(
                "task_id", f"{row.id} is not in the manifest", "use a clean checkout."
            )
        support = _support(f"{PACKAGE}.evaluation.Evaluation{row.id}", sources, row.fields)
        total = int(totals[row.id][0])
        uses_files = "files" in tags.get(row.id, ())
        tasks.append(
            Task(
                id=row.id,
                suite=suite,
                language=Language.JAVA,
                style=Style.JUNIT,
                prompts={prompt_language(row.prompt): row.prompt},
                tests=tuple(Test(f"test_{index}") for index in range(total)),
                class_name=f"{CANDIDATES}.{PREFIX}{row.id}",
                signature=signatures[row.id],
                test_source=_test_source(row.id, total),
                support=support,
                data_files=working_files if uses_files else {},
                tags=tuple(tags.get(row.id, ())),
                needs_network="network" in offline_never.get(row.id, ()),
                together_because="the tests share files with the candidate" if uses_files else "",
                extra={"extends": BASE} | _published_total(published.get(row.id)),
            )
        )
    return tasks


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    prompt: str
    fields: Fields


def _rows(path: Path) -> Iterator[_Row]:
    for number, value in read_jsonl(path):
        fields = Fields(f"{path}, line {number}", value)
        task_id = fields.values.get("task_id")
        if not isinstance(task_id, int):
            fields.refuse("task_id", "must be a whole number")
        yield _Row(str(task_id), fields.text("raw_nl"), fields)


def _test_source(task_id: str, total: int) -> str:
    from polyassay.suites.java.watching import NOTES

    tests = "".join(
        f"  @Test\n  void test_{index}() throws Throwable {{\n    check({index});\n  }}\n\n"
        for index in range(total)
    )
    return TEST_SOURCE.format(
        package=PACKAGE,
        id=task_id,
        total=total,
        tests=tests.removesuffix("\n"),
        candidates=CANDIDATES,
        prefix=PREFIX,
        notes=NOTES,
    )


def _instance_signatures(rows: list[_Row], base: str) -> dict[str, str]:
    """The published signatures without `static`: the base's methods, which candidates override."""
    bare = [re.sub(r"\bstatic\s+", "", row.fields.text("signature"), count=1) for row in rows]
    base_source, *sources = parse([base, *map(as_class, bare)])
    shapes = [_shape(m) for found in base_source.classes for m in found.methods]
    for row, source in zip(rows, sources, strict=True):
        methods = [method for found in source.classes for method in found.methods]
        if len(methods) != 1 or shapes.count(_shape(methods[0])) != 1:
            row.fields.refuse("signature", "is not that of exactly one method of the base class")
    return {row.id: signature for row, signature in zip(rows, bare, strict=True)}


def _shape(method: Method) -> tuple[str, ...]:
    """Name, parameters and return type, however they are written."""
    types = (method.returns, *method.parameters)
    plain = (re.sub(r"\s|\b(?:[a-z]\w*\.)+(?=[A-Z])", "", name) for name in types)
    return method.name, *(name.replace("...", "[]") for name in plain)


def _by_task(manifest: Manifest, table: str) -> dict[str, list[str]]:
    """Turns {word: [task, …]} of the manifest into {task: [word, …]}."""
    found: dict[str, list[str]] = {}
    words = manifest.fields.object(table)
    for word in words.values:
        for task in words.list(word):
            found.setdefault(str(task), []).append(word)
    return found


def _published_total(found: list[str] | None) -> dict[str, str]:
    return {"published_total": found[0]} if found else {}


def _source_path(path: Path, class_name: str) -> Path:
    return path / JAVA / (class_name.replace(".", "/") + ".java")


def _sources(path: Path) -> dict[str, str]:
    """Class name → source of everything that an evaluation may need, evaluations included."""
    folder = path / JAVA
    files = (file for pattern in SOURCES for file in folder.glob(pattern))
    return {_class_name(file.relative_to(folder)): read_text(file) for file in files}


def _class_name(file: Path) -> str:
    return ".".join(file.with_suffix("").parts)


def _support(start: str, sources: Mapping[str, str], row: Fields) -> dict[str, str]:
    """A class and all that it mentions, as path → source; the class notes what it sees."""
    # Its parser is loaded for this suite only.
    from polyassay.suites.java.watching import WATCH, watch_class, watched

    if start not in sources:
        row.refuse("task_id", f"has no class {start} in the checkout", "use a clean checkout.")
    needed: dict[str, str] = {}
    waiting = [start, f"{PACKAGE}.AbstractBaseEvaluation", BASE]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed[name] = source = sources[name]
        waiting += _mentioned(source, name) & sources.keys()
    needed[start] = watched(needed[start], PACKAGE)
    needed[f"{PACKAGE}.{WATCH}"] = watch_class(PACKAGE, f"{PACKAGE}.evaluation")
    return {name.replace(".", "/") + ".java": needed[name] for name in sorted(needed)}


def _mentioned(source: str, name: str) -> set[str]:
    """Full names in the source of class `name`: written out, or plain ones of its own package."""
    package = name.rpartition(".")[0]
    found = set()
    for word in set(re.findall(r"\w+(?:\.\w+)*", source)):
        parts = word.split(".")
        found |= {".".join(parts[: end + 1]) for end in range(len(parts))}
        found.add(f"{package}.{parts[0]}")
    return found


def _working_files(path: Path) -> dict[str, str]:
    files = sorted(
        file for pattern in WORKING_FILES for file in path.glob(pattern) if file.is_file()
    )
    return {
        file.relative_to(path).as_posix(): base64.b64encode(file.read_bytes()).decode()
        for file in files
    }
