"""What the compile service is asked for when a Java candidate is built."""

from typing import cast

import pytest

from polyassay.harness import Job
from polyassay.harness.java.build import build_candidate
from polyassay.harness.java.compile import Compiler
from polyassay.harness.java.messages import BuildLayers, JudgingPlan, LayersBuilt
from polyassay.model import Candidate, CandidateKey, Judging, Language, Program, Style, Task

SUPPORT = {"Numbers.java": "class Numbers {}"}


class AskedCompiler:
    """Remembers what it was asked, and compiles nothing."""

    def __init__(self) -> None:
        self.asked: list[BuildLayers] = []

    def build(self, request: BuildLayers) -> LayersBuilt:
        self.asked.append(request)
        return LayersBuilt(failed=0)


@pytest.mark.parametrize("judged", Judging)
@pytest.mark.parametrize(("first", "compiled"), [(True, {"Numbers": b"class"}), (False, {})])
def test_support_is_compiled_with_a_candidate_only_where_its_plan_lacks_it(
    judged: Judging, first: bool, compiled: dict[str, bytes]
) -> None:
    task = Task(
        "t", "s", Language.JAVA, Style.JUNIT, {}, class_name="A", support=SUPPORT, test_source="T"
    )
    plan = JudgingPlan("B", "class B {}", first, "", "", compiled, {"T": b""}, (), b"", ())
    compiler = AskedCompiler()
    job = Job(task, Candidate(CandidateKey("s", "t", "tool", "en", 0), ""), Program("class A {}"))
    build_candidate(cast(Compiler, compiler), job, plan, judged)
    assert compiler.asked
    assert all(request.given == compiled for request in compiler.asked)
    sources = [set(layer.sources) for request in compiler.asked for layer in request.layers]
    mixed = not first and judged is Judging.TOGETHER
    assert any("Numbers.java" in each for each in sources) == mixed
