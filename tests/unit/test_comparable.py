from typing import Any

import pytest

from polyassay.measures.comparable import command_for, conditions, differences, in_short
from polyassay.rules import RULES
from polyassay.store import Run


def made(run: str, **changes: Any) -> Run:
    options = {"timeout": None, "limit": None, "comparison": "default", "engine": "worker"}
    environment = {"set": "current", "python": "3.11", "pins": ["numpy==2.4.1", "pandas==3.0.0"]}
    provenance = {
        "rules": RULES,
        "suites": {"s": {"version": "1.0", "checksum": "0123456789ab"}},
        "engine": "worker",
        "environments": {"s": environment | changes.pop("environment", {})},
        "options": options | changes.pop("options", {}),
    }
    return Run(run, "", provenance | changes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"options": {"comparison": "exeds"}}, "the exeds comparison of outputs"),
        ({"options": {"timeout": 2.0}}, "2 s a test"),
        ({"options": {"limit": 4}}, "the first 4 tasks"),
        ({"engine": "gradle"}, "the engine gradle"),
        ({"environment": {"set": "paper"}}, "the environment paper ("),
        ({"environment": {"pins": ["numpy==1.26.0"]}}, "the environment current ("),
        ({"environments": {}}, "no environment of its own"),
        ({"suites": {"s": {"version": "1.1", "checksum": "ba98"}}}, "version 1.1 (ba98)"),
    ],
)
def test_other_conditions_are_told(changes: dict[str, Any], told: str) -> None:
    (reason,) = differences(made("r1"), made("r2", **changes), "s")
    assert reason.startswith("r1 has ")
    assert f", r2 {told}" in reason


def test_what_changes_no_figure_is_the_same() -> None:
    turned = {"pins": ["pandas==3.0.0", "numpy==2.4.1"]}
    assert differences(made("r1"), made("r2", environment=turned, sandbox="docker"), "s") == []
    assert differences(made("r1"), made("r2", options={"limit": 4}), "s", besides=("limit",)) == []


def test_a_title_leaves_the_usual_out() -> None:
    plain = conditions(made("r1", environments={}), "s")
    assert in_short(plain) == ["version 1.0 (01234567)", "the suite's time limits", "all tasks"]
    assert in_short(conditions(made("r1", environments={}, engine="gradle"), "s"))[3:] == [
        "the engine gradle"
    ]


def test_a_command_judges_others_alike() -> None:
    plain = "polyassay run -s s -c TOOL=answers.jsonl"
    assert command_for(made("r1"), "s") == plain
    options = {"limit": 4, "tasks": [["s", "a b"], ["t", "c"]], "eval_tests": 2, "test_seed": 3}
    flags = " --limit 4 --eval-tests 2 --seed 3 --judge together --task 'a b'"
    assert command_for(made("r1", options=options, judging="together"), "s") == plain + flags
