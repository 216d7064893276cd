"""Lays jobs out as a Gradle project, and reads what compiling it said."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from polyassay.environments.suite_jars import jars_of
from polyassay.harness import Job
from polyassay.harness.gradle.adapter import ADAPTER, adapter_of, call_problems
from polyassay.harness.java.build import in_lines, sources_of, trespass
from polyassay.harness.java.jdk import Jdk
from polyassay.model import Program, Task

SCRIPTS = Path(__file__).parent / "guest"
JVM_OWN_MB = 384  # on top of a task's memory, which all goes to the heap
OUTPUT_BYTES = 64 << 10
REPORT_BYTES = 256 << 10
_PARTS = ("candidate", "support", "adapter", "tests", "files")
_GRADLE = ("--no-daemon", "--offline", "--continue", "--console=plain", "--max-workers=1")
_FLAGS = (
    "-ea",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-XX:MaxMetaspaceSize=128m",
    "-XX:MaxDirectMemorySize=64m",
    "-Dfile.encoding=UTF-8",
)
_PUBLIC = re.compile(r"^\s*public\s+(?:\w+\s+)*?(?:class|interface|enum|record)\s+(\w+)", re.M)
_SHOWN = 5  # diagnostics in a reason


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What the project is built with."""

    gradle: Path
    gradle_java: Path  # the JDK that Gradle itself runs on
    jdk: Jdk  # the JDK that compiles and runs candidates
    jars: Path
    python: Path
    modules: tuple[str, ...]  # of the JDK's, that candidates may use
    scripts: Path  # the folder of driver.py and console.py
    harness: Path  # the folder of polyassay_harness, whose rule of time console.py uses

    @property
    def junit(self) -> list[str]:
        ours = ("polyassay-harness", "py4j")
        return sorted(str(jar) for jar in self.jars.glob("*.jar") if not jar.name.startswith(ours))

    def python_script(self, name: str) -> list[str]:
        return [str(self.python), "-I", "-S", str(self.scripts / name)]


def names_of(jobs: Sequence[Job]) -> list[str]:
    return [f"c{index}" for index in range(len(jobs))]


def layout(jobs: Sequence[Job], tools: Toolchain, home: Path) -> dict[str, Any]:
    """The driver's first request."""
    texts = {
        "settings.gradle": "rootProject.name = 'candidates'\n",
        "options.json": json.dumps(_options(jobs, tools, home)),
        "build.gradle": (files("polyassay.harness.gradle") / "files" / "build.gradle").read_text(),
    }
    encoded: dict[str, str] = {}
    names = names_of(jobs)
    for name, job in zip(names, jobs, strict=True):
        folder, task = f"candidates/{name}", job.task
        texts |= {
            f"{folder}/candidate/{path}": text
            for path, text in sources_of(job.task, job.program).items()
        }
        texts[f"{folder}/tests/{_file_name(task.test_source)}"] = task.test_source
        texts[f"{folder}/adapter/{ADAPTER}.java"] = adapter_of(task)
        texts |= {f"{folder}/support/{path}": text for path, text in task.support.items()}
        encoded |= {f"{folder}/files/{path}": content for path, content in task.data_files.items()}
        texts[f"{folder}/console.json"] = json.dumps(_console(task, tools))
    return {
        "names": names,
        "gradle": [str(tools.gradle), *_GRADLE],
        "folders": [f"candidates/{name}/{part}" for name in names for part in _PARTS],
        "texts": texts,
        "files": encoded,
    }


def _options(jobs: Sequence[Job], tools: Toolchain, home: Path) -> dict[str, Any]:
    """What the build file reads; javac is named only where Gradle's own JDK is not the one."""
    same = tools.jdk.home == tools.gradle_java.resolve()
    return {
        "junit": tools.junit,
        "libraries": {
            name: [str(jar) for jar in jars_of(home, job.task)]
            for name, job in zip(names_of(jobs), jobs, strict=True)
        },
        "release": re.split(r"\D", tools.jdk.version)[0],
        "javac": "" if same else tools.jdk.tool("javac"),
        "console": tools.python_script("console.py"),
    }


def _console(task: Task, tools: Toolchain) -> dict[str, Any]:
    """What guest/console.py reads."""
    limits = task.limits
    # The worker engine's image has these modules, and a candidate must find the same here.
    flags = (*_FLAGS, f"--limit-modules={','.join(tools.modules)}")
    return {
        "java": [tools.jdk.tool("java"), f"-Xmx{limits.memory_mb}m", "-Xms16m", *flags],
        "names": [test.name for test in task.tests],
        "seconds": limits.seconds,
        "total_seconds": limits.total_seconds,
        "harness": str(tools.harness),
        "memory_mb": limits.memory_mb + JVM_OWN_MB,
        "output_bytes": OUTPUT_BYTES,
        "report_bytes": REPORT_BYTES,
    }


def _file_name(source: str) -> str:
    """A file must have the name of its public class."""
    public = _PUBLIC.search(source)
    return f"{public[1] if public else 'Tests'}.java"


def build_problem(
    job: Job, name: str, classes: Mapping[str, Sequence[str]], printed: str
) -> str | None:
    """Why a candidate cannot be run; empty where it can, None where Gradle has no word on it."""
    own, support, tests = (set(classes[part]) for part in ("candidate", "support", "tests"))
    if not own or not tests or (job.task.support and not support):
        if not re.search(rf"failed for task ':compile{name.capitalize()}[A-Z]", printed):
            return None
        return _reason(job, _diagnostics(name, printed), tests_failed=bool(own))
    if problem := trespass(job.task, own, support | tests):
        return problem
    if misfits := call_problems(_diagnostics(name, printed)):
        return f"expected signature {job.task.signature}; {'; '.join(misfits)}"
    return ""


def _reason(job: Job, found: Sequence[tuple[str, int, str]], tests_failed: bool) -> str:
    found = [each for each in found if each[0] != f"{ADAPTER}.java"]
    if not found:
        return "the compiler broke off without a diagnostic"
    own = job.task.simple_class_name + ".java"
    shown = [_describe(file == own, file, line, text, job.program) for file, line, text in found]
    if len(shown) > _SHOWN:
        shown[_SHOWN:] = [f"and {len(shown) - _SHOWN} more"]
    start = f"expected signature {job.task.signature}; " if tests_failed else ""
    return start + "\n".join(shown)


def _describe(own: bool, file: str, line: int, text: str, program: Program) -> str:
    if not own or program.files:
        return f"{file}:{line}: {text}"
    line -= program.first_line - 1
    return f"line {line}: {text}" if line > 0 else f"before the answer's first line: {text}"


def _diagnostics(name: str, printed: str) -> list[tuple[str, int, str]]:
    """The compiler's errors for one candidate: file, line and message."""
    # Gradle may have left the task's name on the line.
    begin = re.compile(rf"/candidates/{name}/\S*/([^/\s]+\.java):(\d+): error: (.*)$")
    other = re.compile(r"/\S+\.java:\d+: |\d+ errors?$|:\w")
    found: list[tuple[str, int, list[str]]] = []
    inside = False
    for text in printed.splitlines():
        if match := begin.search(text):
            found.append((match[1], int(match[2]), [match[3]]))
            inside = True
        elif other.match(text):
            inside = False
        elif inside and re.match(r"\s+(symbol|location|required|found|reason):", text):
            found[-1][2].append(text)
    return [(file, line, in_lines(words)) for file, line, words in found]
