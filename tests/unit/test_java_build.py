"""What the compile service is asked for when a Java candidate is built."""

import contextlib

import pytest

from polyassay.harness import Job
from polyassay.harness.java.build import build_candidate
from polyassay.harness.java.messages import BuildLayers, ClassFiles, JudgingPlan, LayersBuilt
from polyassay.model import Candidate, CandidateKey, Judging, Language, Program, Style, Task

SUPPORT = {"Numbers.java": "class Numbers {}"}


def asked_for(job: Job, plan: JudgingPlan, judged: Judging) -> list[BuildLayers]:
    """All builds of a candidate that does not compile."""
    compiling = build_candidate(job, plan, judged)
    asked = [next(compiling)]
    with contextlib.suppress(StopIteration):
        while True:
            asked.append(compiling.send(LayersBuilt(failed=0)))
    return asked


@pytest.mark.parametrize("judged", Judging)
@pytest.mark.parametrize(("first", "compiled"), [(True, {"Numbers": b"class"}), (False, {})])
def test_support_is_compiled_with_a_candidate_only_where_its_plan_lacks_it(
    judged: Judging, first: bool, compiled: dict[str, bytes]
) -> None:
    task = Task(
        "t", "s", Language.JAVA, Style.JUNIT, {}, class_name="A", support=SUPPORT, test_source="T"
    )
    plan = JudgingPlan("B", "class B {}", first, "", "", compiled, {"T": b""}, (), b"", ())
    job = Job(task, Candidate(CandidateKey("s", "t", "tool", "en", 0), ""), Program("class A {}"))
    asked = asked_for(job, plan, judged)
    assert all(request.given == compiled for request in asked)
    sources = [set(layer.sources) for request in asked for layer in request.layers]
    mixed = not first and judged is Judging.TOGETHER
    assert any("Numbers.java" in each for each in sources) == mixed


@pytest.mark.parametrize("judged", Judging)
def test_support_never_takes_the_place_of_the_answers_class(judged: Judging) -> None:
    task = Task("t", "s", Language.JAVA, Style.JUNIT, {}, class_name="A", test_source="T")
    plan = JudgingPlan("B", "", False, "", "", {"A": b"support's"}, {"T": b""}, (), b"", ())
    job = Job(task, Candidate(CandidateKey("s", "t", "tool", "en", 0), ""), Program("class A {}"))
    compiling = build_candidate(job, plan, judged)
    layers = next(compiling).layers
    own = [{"A": b"answer's"} if "A.java" in layer.sources else {} for layer in layers]
    with pytest.raises(StopIteration) as done:
        compiling.send(LayersBuilt(layers=tuple(map(ClassFiles, own))))
    assert done.value.value.classes["A"] == b"answer's"
