"""The Gradle engine: the slow, plain reference that the worker engine is held against.

It lays candidates out as an ordinary Gradle project, lets Gradle compile them and JUnit's console
launcher test them, and reads build/test-results; no class of java-harness is used. Candidates of
one tool share a project, and so a sandbox: each has processes of its own, but a hostile one could
spoil the files of the next. Where anything ends a whole project, each of its candidates is judged
again, alone.
"""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from polyassay.environments.suite_jars import jars_of, lacking
from polyassay.errors import PolyAssayError
from polyassay.harness import HarnessSession, Job, RunSettings
from polyassay.harness.gradle.project import (
    JVM_OWN_MB,
    SCRIPTS,
    Toolchain,
    build_problem,
    layout,
    names_of,
)
from polyassay.harness.gradle.report import cases_of
from polyassay.harness.java.jdk import candidate_modules, find_jars, find_jdk
from polyassay.harness.java.jvm import PROCESSES
from polyassay.harness.python.placement import harness_folder
from polyassay.junit.xml import write_xml
from polyassay.model import Judging, Outcome, Report, Task
from polyassay.sandbox import Box, BoxLimits, Ended, Guest, NotStarted
from polyassay_harness.process.time_rule import WALL_FACTOR

_JUDGING = Judging.TOGETHER  # as in an ordinary project, whatever the task
_GRADLE_MB = 1024
_GRADLE_PROCESSES = 768  # its own JVM, the compiler and the launcher; threads count
_START_SECONDS = 120.0
_COMPILE_SECONDS = 30.0  # a candidate
_DEBIAN_JVMS = Path("/usr/lib/jvm")
_HINT = "Install Debian's package gradle, or leave --engine gradle out."


class GradleHarness:
    batch_size = 40
    by_tool = False

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        found = shutil.which("gradle")
        if found is None:
            raise PolyAssayError("Gradle was not found.", hint=_HINT)
        jdk = find_jdk(settings.jdk)
        self.tools = Toolchain(
            gradle=Path(found).resolve(),
            gradle_java=_gradle_java(Path(found).resolve()),
            jdk=jdk,
            jars=find_jars(),
            modules=candidate_modules(jdk),
            python=Path(sys.executable).resolve(),
            scripts=SCRIPTS,
            harness=harness_folder(),
        )

    def open(self) -> HarnessSession:
        return GradleSession(self)

    def groups(self, tasks: Sequence[Task]) -> Sequence[Sequence[Task]]:
        return [tasks]

    def judging(self, task: Task) -> Judging:
        return _JUDGING

    def vet(self, tasks: Sequence[Task]) -> None:
        """There is nothing to be found out ahead."""

    def lacks(self, task: Task) -> str:
        return lacking(self.settings.home, task)

    def versions(self) -> dict[str, str]:
        libraries = self.tools.gradle.parents[1] / "lib"
        core = next(libraries.glob("gradle-core-[0-9]*.jar"), None)
        jar = next(self.tools.jars.glob("junit-jupiter-api-*.jar"), None)
        return {
            "jdk": self.tools.jdk.version,
            "junit": jar.stem.rpartition("-")[2] if jar else "",
            "gradle": core.stem.rpartition("-")[2] if core else "",
        }

    def start(self, jobs: Sequence[Job]) -> Guest:
        tools = self.tools
        processes = PROCESSES + _GRADLE_PROCESSES
        memory = max(job.task.limits.memory_mb for job in jobs) + JVM_OWN_MB + _GRADLE_MB
        places = [tools.gradle.parents[1], tools.gradle_java, tools.jdk.home, tools.jars]
        places += [tools.scripts, tools.harness / "polyassay_harness", Path(sys.base_prefix)]
        places += sorted({jar for job in jobs for jar in jars_of(self.settings.home, job.task)})
        box = Box(
            argv=(*tools.python_script("driver.py"), str(tools.harness)),
            readable=tuple(path for path in places if not path.is_relative_to("/usr")),
            environment={
                "JAVA_HOME": str(tools.gradle_java),
                "JAVA_OPTS": "-Xmx640m -Xss4m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            },
            limits=BoxLimits(memory_mb=memory, processes=processes, open_files=4096, disk_mb=512),
        )
        return self.settings.sandbox.start(box)

    def close(self) -> None:
        """Nothing is kept."""


class GradleSession:
    def __init__(self, harness: GradleHarness) -> None:
        self._harness = harness

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        by_tool: dict[str, list[int]] = {}
        for index, job in enumerate(jobs):
            by_tool.setdefault(job.candidate.key.tool, []).append(index)
        reports: dict[int, Report] = {}
        for indices in by_tool.values():
            found = self._judge_together([jobs[index] for index in indices])
            reports |= zip(indices, found, strict=True)
        return [reports[index] for index in range(len(jobs))]

    def close(self) -> None:
        """Nothing is kept."""

    def _judge_together(self, jobs: Sequence[Job]) -> list[Report]:
        """One project; those that it has no word on are judged again, each alone."""
        project = _Project(jobs)
        ended = project.run(self._harness)
        reports = []
        for name, job in project.jobs.items():
            report = project.reports.get(name)
            if report is None and len(jobs) > 1:
                (report,) = self._judge_together([job])
            reports.append(report or project.last_word(job, ended))
        return reports


class _Project:
    """One sandbox, one Gradle project, and what it says about its candidates."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = dict(zip(names_of(jobs), jobs, strict=True))
        self.reports: dict[str, Report] = {}
        self._runs_candidates = False
        self._printed = ""

    def run(self, harness: GradleHarness) -> Ended | None:
        """Compiles and tests as far as it gets; says what ended it before its time."""
        jobs = list(self.jobs.values())
        limit = _START_SECONDS + _COMPILE_SECONDS * len(jobs)
        try:
            with closing(harness.start(jobs)) as guest:
                good = self._note_builds(
                    _ask(guest, layout(jobs, harness.tools, harness.settings.home), limit)
                )
                if good:
                    self._runs_candidates = True
                    totals = (self.jobs[name].task.limits.total_seconds for name in good)
                    limit += WALL_FACTOR * sum(totals)
                    self._note_results(_ask(guest, {"names": good}, limit))
        except NotStarted as problem:
            return Ended(f"did not start: {problem}")
        except Ended as ended:
            return ended
        return None

    def last_word(self, job: Job, ended: Ended | None) -> Report:
        """On a candidate that was alone in its project and has no report."""
        how = f"the sandbox {ended}" if ended else "it broke the build off that ran it"
        if ended and (ended.timed_out or ended.out_of_memory):
            stopped = Outcome.TIMED_OUT if ended.timed_out else Outcome.OUT_OF_MEMORY
            if self._runs_candidates:
                return _report(job, stopped, how)
            return _report(job, Outcome.UNBUILT, f"the compiler did not come to an end: {how}")
        if self._runs_candidates:
            return _report(job, Outcome.CRASHED, how)
        why = how if ended else f"Gradle failed: {self._printed[-2000:]}"
        return _report(job, Outcome.HARNESS_ERROR, why)

    def _note_builds(self, answer: Mapping[str, Any]) -> list[str]:
        """Reports those that were not built; returns those that were."""
        self._printed = answer["printed"]
        good = []
        for name, job in self.jobs.items():
            problem = build_problem(job, name, answer["classes"][name], self._printed)
            if problem:
                self.reports[name] = _report(job, Outcome.UNBUILT, problem)
            elif problem == "":
                good.append(name)
        return good

    def _note_results(self, answer: Mapping[str, Any]) -> None:
        for name, result in answer["results"].items():
            if result is not None:
                self.reports[name] = _tested(self.jobs[name], result)


def _ask(guest: Guest, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    guest.send(json.dumps(request).encode(), seconds)
    answer: dict[str, Any] = json.loads(guest.receive(seconds))
    return answer


def _report(job: Job, ending: Outcome, reason: str) -> Report:
    return Report("", _JUDGING, job.program, ending=ending, reason=reason)


def _tested(job: Job, result: Mapping[str, Any]) -> Report:
    """The result was written beside the candidate, so it may be anything."""
    try:
        attempts = result["attempts"]
        return Report(
            xml=write_xml(job.task.class_name, cases_of(job, attempts)),
            judged=_JUDGING,
            program=job.program,
            output=str(result["output"]),
            seconds=sum(float(attempt["seconds"]) for attempt in attempts),
            cpu_seconds=sum(float(attempt["cpu_seconds"]) for attempt in attempts),
            idled=any(attempt["idled"] is True for attempt in attempts),
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return _report(job, Outcome.CRASHED, f"its results cannot be read: {error}")


def _gradle_java(gradle: Path) -> Path:
    """Debian's Gradle is too old for JDKs after 17, which may be Debian's or Ubuntu's default."""
    if gradle.is_relative_to("/usr/share/gradle"):
        for home in (*_DEBIAN_JVMS.glob("java-17-openjdk-*"), _DEBIAN_JVMS / "default-java"):
            if (home / "bin" / "java").is_file():
                return home.resolve()
    return find_jdk(None).home
