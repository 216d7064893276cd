"""The compile service: its limits, and what becomes of a run that loses it."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.harness.java import compile as compile_module
from polyassay.harness.java.archive import service_flags
from polyassay.harness.java.compile import BrokeOff, Compiler, plan_request
from polyassay.harness.java.harness import JavaHarness
from polyassay.harness.java.jdk import Image, Jdk, find_jars, find_jdk
from polyassay.harness.java.messages import BuildLayers, LayersBuilt, SourceLayer
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Outcome,
    Style,
    Task,
    Test,
)
from polyassay.sandbox.choose import find
from polyassay.slot import judge_alone
from real_parts import given

TASK = Task(
    id="a",
    suite="s",
    language=Language.JAVA,
    style=Style.JUNIT,
    prompts={},
    class_name="A",
    signature="public static int a()",
    test_source="class ATest { void a() { A.a(); } }",
)
PASSING = replace(
    TASK,
    tests=(Test("one"),),
    test_source="import org.junit.jupiter.api.*;"
    " class ATest { @Test void one() { Assertions.assertEquals(1, A.a()); } }",
)
MANY = [f"class A{number} {{}}" for number in range(20_000)]  # takes javac 18 s of CPU time


@pytest.fixture(scope="module")
def jars() -> Path:
    with given("java"):
        jars = find_jars()
    assert jars.is_dir()
    return jars


def _build(compiler: Compiler, layer: SourceLayer) -> LayersBuilt:
    """Again where the service is lost to what it compiled before, as a slot does."""
    request = BuildLayers("A", "a", (), (), {}, (layer,), cpu_seconds=2.0)
    try:
        return compiler.build(request)
    except BrokeOff:
        return compiler.build(request)


def test_a_source_that_breaks_the_compiler_is_its_own_problem_only(jars: Path) -> None:
    # Constants are folded: the last one has 2^40 characters.
    doubled = "".join(f"static final String S{i + 1} = S{i} + S{i};" for i in range(40))
    endless = SourceLayer({"A.java": f'class A {{ static final String S0 = "x"; {doubled} }}'})
    good = SourceLayer({"A.java": "class A { void a() {} }"})
    compiler = Compiler(find_jdk(None), jars)
    try:
        before = _build(compiler, good)
        broken = _build(compiler, endless)
        after = _build(compiler, good)
        many = _build(compiler, SourceLayer({"A.java": "".join(MANY)}))
        huge = _build(compiler, SourceLayer({"A.java": " " * (2 << 20)}))
    finally:
        compiler.close()
    assert before.layers == after.layers
    assert many.problem == "it declares more than 2000 classes"
    assert [list(layer.classes) for layer in after.layers] == [["A"]]
    assert broken.problem in (
        "the compiler ran out of memory",
        "the compiler did not finish in time",
    )
    assert huge.problem == "the source exceeds 1 MB"


@pytest.mark.parametrize(("kills", "outcome"), [(5, Outcome.PASSED), (6, Outcome.UNBUILT)])
def test_a_source_is_blamed_only_where_the_service_is_lost_each_time(
    java_home: Path, monkeypatch: pytest.MonkeyPatch, kills: int, outcome: Outcome
) -> None:
    """Each attempt is the slot's, which judges the candidate afresh."""
    real, asked = compile_module._Service.build, []

    def killed_at_first(service: compile_module._Service, request: BuildLayers) -> LayersBuilt:
        if request.class_name == TASK.class_name:  # and not the sample of a new image's archive
            asked.append(service.process.pid)
            if len(asked) <= kills:
                service.process.kill()
        return real(service, request)

    monkeypatch.setattr(compile_module._Service, "build", killed_at_first)
    candidate = Candidate(CandidateKey("s", "a", "tool", "en", 0), "return 1;")
    verdict = judge_alone(PASSING, candidate, RunSettings(find(), java_home))
    assert verdict.outcome is outcome, verdict.reason
    assert (verdict.reason == "the compiler broke off") == (outcome is Outcome.UNBUILT)
    assert len(set(asked)) == 6


def test_a_service_that_gives_no_plan_is_replaced(jars: Path) -> None:
    compiler = Compiler(find_jdk(None), jars)
    try:
        assert compiler.plan(TASK.id, plan_request(TASK, ())).test_classes == ("ATest",)
        service = compiler._service
        assert service is not None
        service._gateway.shutdown()  # its process lives on, and no longer answers
        assert compiler.plan(TASK.id, plan_request(TASK, ())).test_classes == ("ATest",)
        assert service.process.poll() is not None
    finally:
        compiler.close()


def test_a_service_starts_from_an_archive_of_its_own_whatever_is_in_it(
    jars: Path, tmp_path: Path
) -> None:
    image, good = Image(tmp_path), SourceLayer({"A.java": "class A { void a() {} }"})

    def built() -> LayersBuilt:
        flags = service_flags(image, find_jdk(None), jars)
        assert any(str(tmp_path) in flag for flag in flags)
        with closing(Compiler(find_jdk(None), jars, lambda: flags)) as compiler:
            return _build(compiler, good)

    first = built()
    (archive,) = tmp_path.glob("service-*.jsa")
    made = archive.stat().st_mtime_ns
    assert first.layers and built().layers == first.layers
    assert archive.stat().st_mtime_ns == made, "it is made once"
    archive.write_bytes(b"no archive" * 1000)
    assert built().layers == first.layers


@pytest.fixture
def jdk_that_is_away(tmp_path: Path) -> Jdk:
    real = find_jdk(None)
    home = tmp_path / "jdk"
    home.mkdir()
    for part in real.home.iterdir():
        if part.name != "bin":
            (home / part.name).symlink_to(part)
    return Jdk(home, real.version)


def test_a_jdk_that_is_away_for_a_moment_costs_nothing(
    jars: Path, jdk_that_is_away: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def comes_back(_: float) -> None:
        (jdk_that_is_away.home / "bin").symlink_to(find_jdk(None).home / "bin")

    monkeypatch.setattr("time.sleep", comes_back)
    compiler = Compiler(jdk_that_is_away, jars)
    try:
        assert compiler.plan(TASK.id, plan_request(TASK, ())).test_classes == ("ATest",)
    finally:
        compiler.close()


def test_a_jdk_that_stays_away_ends_the_run_with_the_way_on(
    jars: Path, jdk_that_is_away: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with pytest.raises(PolyAssayError, match="does not start") as raised:
        Compiler(jdk_that_is_away, jars).plan(TASK.id, plan_request(TASK, ()))
    assert len(waits) == 2
    assert "--resume" in raised.value.hint


def test_a_plan_is_made_once_and_again_where_its_file_is_broken(
    jars: Path, java_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = replace(TASK, test_source="class ATest { void once() { A.a(); } }")
    starts: list[Jdk] = []
    start = compile_module._Service.__init__

    def count(service: compile_module._Service, jdk: Jdk, jars: Path, flags: list[str]) -> None:
        if not any("ArchiveClassesAtExit" in flag for flag in flags):
            starts.append(jdk)
        start(service, jdk, jars, flags)

    monkeypatch.setattr(compile_module._Service, "__init__", count)
    settings = RunSettings(find(), java_home, jobs=4)
    tasks = [replace(task, id=str(number)) for number in range(4)]
    plans = []
    for begun in (1, 1, 2):  # the second finds all plans, the third none that can be read
        with closing(JavaHarness(settings)) as harness:
            harness.vet(tasks)
            plans.append(harness.plan(tasks[0]))
            assert len(starts) == begun
        if len(plans) == 2:
            for file in (settings.cache / "plans").glob("*/*"):
                file.write_bytes(file.read_bytes()[:-1])
    assert plans[0].test_classes == ("ATest",)
    assert plans[0] == plans[1] == plans[2]
