"""The Java harness: builds a candidate, runs its tests in sandboxed JVMs, reports.

`JavaSession.judge` reads in this order. Below it is which JVM serves whom.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from polyassay.environments.java_plans import KeptPlans
from polyassay.environments.suite_jars import jars_of, lacking
from polyassay.harness import HarnessSession, Job, RunSettings, judging_asked_for
from polyassay.harness.allowance import Allowance
from polyassay.harness.java.apart import JudgeJvm, WorkerJvm
from polyassay.harness.java.archive import make_archive, service_flags
from polyassay.harness.java.attempt import (
    OUTPUT_BYTES,
    JUnitRequest,
    TestsRun,
    files_of,
    request_of,
)
from polyassay.harness.java.build import JavaBuild, build_candidate
from polyassay.harness.java.compile import BrokeOff, Compiler, plan_request, with_reference
from polyassay.harness.java.executor import ExecutorJvm
from polyassay.harness.java.jdk import find_jars, find_jdk, make_image
from polyassay.harness.java.jvm import Jvm, JvmSpec
from polyassay.harness.java.messages import JudgingPlan
from polyassay.harness.java.program import ProgramJvm, ProgramRequest
from polyassay.harness.java.wire import Malformed, decode, encode
from polyassay.junit.xml import write_xml
from polyassay.model import Judging, Outcome, Report, Style, Task
from polyassay.sandbox import Ended, NotStarted

_KEPT = 8  # JVMs that one session keeps for reuse
_AUTO_SERVES = 50  # candidates that a worker JVM serves by default

TaskKey = tuple[str, str]  # suite, task
ServingJvm = ExecutorJvm | WorkerJvm
J = TypeVar("J", bound=Jvm)


class JavaHarness:
    """What one slot needs for all its JVMs: the compile service, the image and its archives."""

    batch_size = 1  # another slot may start on the next candidate meanwhile
    by_tool = True  # a worker JVM serves one tool, and no task twice

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self.jdk = find_jdk(settings.jdk)
        self.jars = find_jars()
        self.image = make_image(self.jdk, self.jars, settings.cache)
        flags = partial(service_flags, self.image, self.jdk, self.jars)
        self.compiler = Compiler(self.jdk, self.jars, flags)
        self._archived: set[str] = set()
        # By the image's name, which stands for the JDK and the harness that make the plans.
        self._kept_plans = KeptPlans(settings.cache / "plans" / self.image.folder.name)
        self._plans: dict[tuple[str, str], JudgingPlan] = {}

    def open(self) -> HarnessSession:
        return JavaSession(self)

    def groups(self, tasks: Sequence[Task]) -> Sequence[Sequence[Task]]:
        """As many groups as slots, because each slot has judges and plans of its own tasks."""
        size = -(-len(tasks) // self.settings.jobs)
        return [tasks[start : start + size] for start in range(0, len(tasks), size)]

    def vet(self, tasks: Sequence[Task]) -> None:
        with ThreadPoolExecutor(self.settings.jobs) as threads:
            list(threads.map(self.lacks, tasks))

    def lacks(self, task: Task) -> str:
        return lacking(self.settings.home, task) or self.plan(task).defect

    def judging(self, task: Task) -> Judging:
        because = "" if task.compared_by_runner else self.plan(task).together_because
        return judging_asked_for(self.settings, task, because)

    def plan(self, task: Task) -> JudgingPlan:
        """How the task's candidates are checked and judged; found out once."""
        key = (task.suite, task.id)
        if key not in self._plans:
            self._plans[key] = self._kept_plan(task)
        return self._plans[key]

    def _kept_plan(self, task: Task) -> JudgingPlan:
        """The plan that an earlier run or another process has made, or a new one."""
        request = plan_request(task, self.jars_of(task))
        # Jars count by what is in them and not by where they are.
        made_from = encode(replace(request, jars=tuple(task.jars.values())))
        kept = self._kept_plans.load(made_from)
        if kept is not None:
            with suppress(Malformed):
                return replace(decode(kept, JudgingPlan), jars=request.jars)
        plan = self.compiler.plan(task.id, with_reference(request, task))
        self._kept_plans.keep(made_from, encode(plan))
        return plan

    def jars_of(self, task: Task) -> tuple[Path, ...]:
        return jars_of(self.settings.home, task)

    def prepare(self, spec: JvmSpec) -> None:
        """Makes what such JVMs start from, where it is missing: the image and its archive.

        It may have been taken away during the run, as by a cleaned cache.
        """
        if not Path(self.image.java).is_file():
            self.image = make_image(self.jdk, self.jars, self.settings.cache)
            self._archived.clear()
        if spec.archive not in self._archived:
            make_archive(self.image, self.compiler, spec)
            self._archived.add(spec.archive)

    def versions(self) -> dict[str, str]:
        jar = next(self.jars.glob("junit-jupiter-api-*.jar"), None)
        return {"jdk": self.jdk.version, "junit": jar.stem.rpartition("-")[2] if jar else ""}

    def close(self) -> None:
        self.compiler.close()


class JavaSession:
    """The JVMs that one slot keeps running: starts them, and keeps those that can serve again."""

    def __init__(self, harness: JavaHarness) -> None:
        self._harness = harness
        self._settings = harness.settings
        self._kept: list[tuple[str, ServingJvm]] = []  # with the tool that each has served
        self._judges: dict[JvmSpec, JudgeJvm] = {}

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        if alone:
            self.close()
        reports = [self._judge(job) for job in jobs]
        if alone:
            self.close()
        return reports

    def close(self) -> None:
        kept = [jvm for _, jvm in self._kept]
        jvms: list[Jvm] = [*kept, *self._judges.values()]
        for jvm in jvms:
            jvm.close()
        self._kept.clear()
        self._judges.clear()

    def _judge(self, job: Job) -> Report:
        """Plan, build, run, report."""
        started = time.monotonic()
        plan = self._harness.plan(job.task)
        judged = self._harness.judging(job.task)
        report = Report(xml="", judged=judged, program=job.program)
        try:
            built = self._harness.compiler.carry_out(build_candidate(job, plan, judged))
        except BrokeOff as why:
            return replace(report, ending=Outcome.UNBUILT, reason=str(why), suspect=True)
        if built.problem:
            report = replace(report, ending=Outcome.UNBUILT, reason=built.problem)
        else:
            try:
                if job.task.style is Style.PROGRAM:
                    report = self._run_program(job, built, report)
                else:
                    report = self._execute(job, request_of(job.task, built, plan, judged), report)
            except (NotStarted, Ended, Malformed) as error:
                reason = f"no JVM could be started: {error}"
                report = replace(report, ending=Outcome.HARNESS_ERROR, reason=reason)
        return replace(report, seconds=time.monotonic() - started)

    def _run_program(self, job: Job, built: JavaBuild, report: Report) -> Report:
        """Each test in a JVM of its own, as long as there is time."""
        task = job.task
        spec = JvmSpec(task.limits.memory_mb, jars=self._harness.jars_of(task), program=True)
        run = TestsRun()
        allowance = Allowance(task.limits)
        request = ProgramRequest(task, built.classes, files_of(task))
        for test in task.tests:
            if not (allowance.used_up or run.idled):
                jvm = self._start(ProgramJvm, spec)
                with closed_on_failure(jvm):
                    ended = jvm.run(request, test, allowance)
                run.results[test.name] = ended.finished
                run.output = (run.output + ended.stderr)[:OUTPUT_BYTES]
                run.idled |= ended.idled
                run.doubtful |= ended.doubtful
        xml = write_xml(task.class_name, run.cases(job))
        return replace(
            report,
            xml=xml,
            output=run.output,
            cpu_seconds=allowance.used(),
            suspect=run.doubtful,
            idled=run.idled,
        )

    def _execute(self, job: Job, request: JUnitRequest, report: Report) -> Report:
        worker = report.judged is Judging.APART
        vintage = request.vintage and not worker
        spec = JvmSpec(job.task.limits.memory_mb, worker, vintage, request.jars)
        tool = job.candidate.key.tool
        task = (job.task.suite, job.task.id)
        jvm = self._kept_jvm(tool, spec, task) or self._fresh(spec)
        reused = jvm.served > 0
        run, last = self._run(request, jvm)
        last.tasks.add(task)
        self._give_back(tool, last)
        return replace(
            report,
            xml=write_xml(request.test_classes[0], run.cases(job)),
            output=run.output,
            cpu_seconds=run.cpu_seconds,
            flags=("reused",) if reused else (),
            # An earlier candidate may have spoilt the process, or the machine ended it.
            suspect=not run.passed and (run.doubtful or (reused and not jvm.usable)),
            idled=run.idled,
        )

    def _run(self, request: JUnitRequest, jvm: ServingJvm) -> tuple[TestsRun, ServingJvm]:
        """Runs all tests, those after a crash or a broken limit in another JVM; and gives the last.

        The JVMs before the last are closed.
        """
        run = TestsRun()
        allowance = Allowance(request.limits)
        while True:
            with closed_on_failure(jvm):
                serves = self._serves(jvm.spec)
                if isinstance(jvm, ExecutorJvm):
                    attempt = jvm.run(request, allowance, shared=serves > 1)
                else:
                    judge = self._judge_jvm(JudgeJvm.spec_for(request))
                    keep = serves > jvm.served + 1
                    attempt = jvm.run(judge, request, allowance, keep)
                run.add(attempt)
            left = tuple(name for name in request.names if name not in run.results)
            if not left or run.idled or allowance.used_up:
                return run, jvm
            request = replace(request, names=left)
            jvm.close()
            jvm = self._fresh(jvm.spec)

    def _serves(self, spec: JvmSpec) -> int:
        """How many candidates one such JVM serves; by default many only where none can forge."""
        return self._settings.reuse or (_AUTO_SERVES if spec.worker else 1)

    def _kept_jvm(self, tool: str, spec: JvmSpec, task: TaskKey) -> ServingJvm | None:
        """One that has served candidates of the same tool, and none of the task's.

        What is left of them in its memory can then be no answer to the task.
        """
        for place, (owner, jvm) in enumerate(self._kept):
            if owner == tool and jvm.spec == spec and task not in jvm.tasks:
                del self._kept[place]
                return jvm
        return None

    def _fresh(self, spec: JvmSpec) -> ServingJvm:
        """One that has served no candidate."""
        return self._start(WorkerJvm, spec) if spec.worker else self._start(ExecutorJvm, spec)

    def _start(self, kind: type[J], spec: JvmSpec) -> J:
        settings = self._settings
        self._harness.prepare(spec)
        jvm = kind(settings.sandbox, self._harness.image, spec, settings.shake)
        with closed_on_failure(jvm):
            jvm.wait_until_ready()
        return jvm

    def _judge_jvm(self, spec: JvmSpec) -> JudgeJvm:
        judge = self._judges.get(spec)
        if judge is None or not judge.usable:
            judge = self._judges[spec] = self._start(JudgeJvm, spec)
        return judge

    def _give_back(self, tool: str, jvm: ServingJvm) -> None:
        """Keeps it for the tool's next candidate, or ends it."""
        if not jvm.usable or jvm.served >= self._serves(jvm.spec):
            jvm.close()
            return
        self._kept.append((tool, jvm))
        if len(self._kept) > _KEPT:
            self._kept.pop(0)[1].close()


@contextmanager
def closed_on_failure(jvm: Jvm) -> Iterator[None]:
    """Ends a JVM that would belong to no session any more."""
    try:
        yield
    except BaseException:
        jvm.close()
        raise
