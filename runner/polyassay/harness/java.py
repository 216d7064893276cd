"""The Java harness: builds a candidate, runs its tests in a sandboxed JVM, reports."""

import base64
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from polyassay.harness import Job, Session, Settings
from polyassay.harness.java_build import JavaBuild, build_candidate
from polyassay.harness.java_compile import Compiler
from polyassay.harness.java_executor import Attempt, Executor, Finished, Kind, Request
from polyassay.harness.java_jdk import find_jars, find_jdk, make_image
from polyassay.harness.java_train import make_archive
from polyassay.harness.junit_xml import Case, write_xml
from polyassay.model import Judging, Outcome, Report, Task, TestStatus
from polyassay.sandbox import Ended, NotStarted

_KEPT = 4  # executors that one session keeps for reuse
_JUNIT_4 = re.compile(r"^\s*import\s+(static\s+)?(org\.junit\.(?!jupiter|platform)|junit\.)", re.M)


class JavaHarness:
    """What sessions share: the compile service, the image and its archives."""

    batch = 1

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.jdk = find_jdk(settings.jdk)
        self.jars = find_jars()
        self.image = make_image(self.jdk, self.jars, settings.cache)
        self.compiler = Compiler(self.jdk, self.jars)
        self._lock = threading.Lock()
        self._trained: set[bool] = set()

    def open(self) -> Session:
        return JavaSession(self)

    def start_executor(self, kind: Kind) -> Executor:
        with self._lock:
            if kind.vintage not in self._trained:
                make_archive(self.image, self.compiler, vintage=kind.vintage)
                self._trained.add(kind.vintage)
        return Executor(self.settings.sandbox, self.image, kind)

    def versions(self) -> dict[str, str]:
        jar = next(self.jars.glob("junit-jupiter-api-*.jar"), None)
        return {"jdk": self.jdk.version, "junit": jar.stem.rpartition("-")[2] if jar else ""}

    def close(self) -> None:
        self.compiler.close()


@dataclass(slots=True)
class Run:
    """One candidate's tests, in as many processes as it took."""

    results: dict[str, Finished] = field(default_factory=dict)
    output: str = ""
    cpu_seconds: float = 0.0

    def add(self, attempt: Attempt) -> None:
        self.results.update(attempt.results)
        self.output += attempt.output
        self.cpu_seconds += attempt.cpu_seconds

    @property
    def passed(self) -> bool:
        return all(result.status is TestStatus.PASSED for result in self.results.values())


class JavaSession:
    """One slot's executors: a spare that is started ahead, and those that may be reused."""

    def __init__(self, harness: JavaHarness) -> None:
        self._harness = harness
        self._spare: Executor | None = None
        self._kept: dict[tuple[str, Kind], Executor] = {}

    def judge(self, jobs: Sequence[Job]) -> Sequence[Report]:
        return [self._judge(job) for job in jobs]

    def close(self) -> None:
        for executor in (self._spare, *self._kept.values()):
            if executor is not None:
                executor.close()
        self._spare = None
        self._kept.clear()

    def _judge(self, job: Job) -> Report:
        started = time.monotonic()
        report = Report(xml="", judged=Judging.TOGETHER, program=job.program)
        built = build_candidate(self._harness.compiler, job)
        if built.problem:
            report = replace(report, ending=Outcome.UNBUILT, reason=built.problem)
        else:
            try:
                report = self._execute(job, built, report)
            except (NotStarted, Ended) as error:
                reason = f"no executor could be started: {error}"
                report = replace(report, ending=Outcome.HARNESS_ERROR, reason=reason)
        return replace(report, seconds=time.monotonic() - started)

    def _execute(self, job: Job, built: JavaBuild, report: Report) -> Report:
        request = _request(job.task, built)
        executor = self._take(job, request.kind)
        reused = executor.served > 0
        run = self._run(request, executor)
        if reused and not executor.usable and not run.passed:
            # An earlier candidate may have spoilt the process: only a run alone counts.
            reused = False
            run = self._run(request, self._fresh(request.kind))
        self._give_back(job, executor)
        return replace(
            report,
            xml=write_xml(request.test_classes[0], _cases(job, run)),
            output=run.output,
            cpu_seconds=run.cpu_seconds,
            flags=("reused",) if reused else (),
        )

    def _run(self, request: Request, executor: Executor) -> Run:
        """Runs all tests, those after a crash or a broken limit in another process."""
        run = Run()
        deadline = time.monotonic() + request.limits.total_seconds
        while True:
            run.add(executor.run(request, deadline))
            left = [name for name in request.names if name not in run.results]
            if not left or time.monotonic() >= deadline:
                return run
            request = replace(request, names=left)
            executor.close()
            executor = self._fresh(request.kind)

    def _take(self, job: Job, kind: Kind) -> Executor:
        kept = self._kept.pop((job.candidate.key.tool, kind), None)
        return kept or self._fresh(kind)

    def _give_back(self, job: Job, executor: Executor) -> None:
        if not executor.usable or executor.served >= self._harness.settings.reuse:
            executor.close()
            return
        self._kept[job.candidate.key.tool, executor.kind] = executor
        if len(self._kept) > _KEPT:
            self._kept.pop(next(iter(self._kept))).close()

    def _fresh(self, kind: Kind) -> Executor:
        """The spare, or a new one; another spare starts up while this one works."""
        executor = self._spare
        if executor is None or executor.kind != kind:
            if executor is not None:
                executor.close()
            executor = self._harness.start_executor(kind)
        self._spare = None
        executor.wait_until_ready()
        if self._harness.settings.reuse == 1:
            self._spare = self._harness.start_executor(kind)
        return executor


def _request(task: Task, built: JavaBuild) -> Request:
    sources = "\n".join((task.test_source, *task.support.values()))
    return Request(
        test_classes=built.test_classes,
        names=[test.name for test in task.tests],
        classes=built.classes,
        files={path: base64.b64decode(content) for path, content in task.files.items()},
        limits=task.limits,
        kind=Kind(task.limits.memory_mb, vintage=bool(_JUNIT_4.search(sources))),
    )


def _cases(job: Job, run: Run) -> Iterator[Case]:
    missing = Finished(TestStatus.NOT_RUN, message="the candidate's time was used up before it")
    for test in job.task.tests:
        result = run.results.get(test.name, missing)
        message = " ".join(filter(None, (result.message, _place(job, result))))
        yield Case(test.name, result.status, result.type, message, result.seconds)


def _place(job: Job, result: Finished) -> str:
    """Where it was thrown, in terms of the answer's own lines where it was there."""
    if not result.source:
        return ""
    own = job.task.class_name.rpartition(".")[2] + ".java"
    line = result.line - job.program.first_line + 1
    if result.source == own and line > 0:
        return f"(at line {line} of the answer)"
    return f"({result.owner.rpartition('.')[2]}:{result.line})"
