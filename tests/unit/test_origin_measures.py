"""Cost, tokens and seconds of answers: measures like any other, and unknown where unknown."""

from typing import Any

import pytest

from made import make_task, make_verdict
from polyassay.measures.comparing.two import compare
from polyassay.measures.origins import origin_values
from polyassay.measures.scores import score
from polyassay.measures.table import measure
from polyassay.measures.units import Scores, collect, expected_units, with_values
from polyassay.model import CandidateKey

NAMES = ("cost", "tokens", "cost_per_solved", "answer_seconds_p50", "answer_seconds_p95")


def origin(cost: float | None, seconds: float, output: int | None = 5) -> dict[str, Any]:
    return {"cost": cost, "tokens": {"input": 10, "output": output}, "seconds": seconds}


def scores(costs: dict[str, float | None], passing: int, tasks: int = 20) -> Scores:
    every = {("s", f"t{i}"): make_task(f"t{i}") for i in range(tasks)}
    verdicts = [
        make_verdict(f"t{i}", 2 if i < passing else 0, tool=tool)
        for tool in costs
        for i in range(tasks)
    ]
    origins: list[tuple[CandidateKey, Any]] = [
        (v.candidate, origin(costs[v.candidate.tool], float(i % tasks)))
        for i, v in enumerate(verdicts)
    ]
    found = collect(
        verdicts, every, expected_units(every.values(), [v.candidate for v in verdicts])
    )
    return with_values(found, dict(origin_values(origins)))


def test_what_answers_took() -> None:
    found = score(scores({"a": 0.5}, passing=4)["a"], [measure(name) for name in NAMES])
    assert found["cost"].value == 0.5
    assert found["tokens"].value == 15
    assert found["cost_per_solved"].value == pytest.approx(20 * 0.5 / 4)
    assert found["answer_seconds_p50"].value == 10
    assert found["answer_seconds_p95"].value == 19


def test_unknown_stays_unknown() -> None:
    found = score(scores({"a": None}, passing=4)["a"], [measure(name) for name in NAMES])
    assert found["cost"].value is None
    assert found["cost_per_solved"].value is None
    nobody = score(scores({"a": 1.0}, passing=0)["a"], [measure(name) for name in NAMES])
    assert nobody["cost_per_solved"].value is None


def test_costs_are_compared_task_by_task() -> None:
    both = scores({"a": 0.5, "b": 0.75}, passing=4)
    found = compare(("a", both["a"]), ("b", both["b"]), [1], (), ["cost"])
    cost = found.metrics["cost"]
    assert cost.difference == pytest.approx(0.25)
    assert cost.interval.low > 0
    assert str(cost.answer) == "worse"  # more cost is worse


def test_odd_origins_do_no_harm() -> None:
    key = CandidateKey("s", "t", "a", "en", 0)
    odd: list[dict[str, Any]] = [{}, {"tokens": 5, "cost": "much", "seconds": True, "settings": []}]
    assert [values for _, values in origin_values((key, one) for one in odd)] == [{}, {}]
