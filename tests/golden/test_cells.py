"""Outputs of cells and how they compare; each case of the TOML files beside is a test."""

import tomllib
from pathlib import Path

import pytest

from polyassay.comparison import RULES, AnswerType, CellOutput

CELLS = Path(__file__).parent / "cells"


def cases(name: str):
    for case in tomllib.loads((CELLS / f"{name}.toml").read_text("utf-8"))["case"]:
        yield pytest.param(case, id=case["name"])


def judge(rule: str, case: dict) -> str:
    shown = case.get("shown", "")
    printed = "" if "result" in case else shown
    output = CellOutput(
        shown, case.get("printed", printed), case.get("result", ""), case.get("error", "")
    )
    match = RULES[rule](AnswerType(case["type"]), case["accepted"], output)
    assert match.equal == (match.failure is None)
    assert match.f1 == 1.0 or not match.equal
    return match.failure or ""


@pytest.mark.parametrize("case", [*cases("paper"), *cases("default")])
def test_default_comparison(case):
    assert judge("default", case) == case.get("failure", "")


@pytest.mark.parametrize("case", [*cases("paper")])
def test_published_rule_on_the_papers_examples(case):
    assert judge("exeds", case) == case.get("exeds", case.get("failure", ""))


@pytest.mark.parametrize("case", [*cases("exeds")])
def test_published_rule(case):
    assert judge("exeds", case) == case.get("failure", "")
