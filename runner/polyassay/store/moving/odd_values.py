"""Values in a run's file that are none, wherever they would be shown or told apart."""

import math
from collections.abc import Mapping
from typing import Any

from polyassay.model import Verdict


def refuse_odd(verdict: Verdict) -> None:
    """A verdict's text has to be text, and its numbers numbers, wherever they are shown."""
    program = verdict.program
    texts = [verdict.reason, verdict.output, program.source, program.code, program.problem]
    texts += [*verdict.flags, *program.notes, *verdict.sets, *verdict.measures]
    texts += [text for test in verdict.tests for text in (test.name, test.message)]
    numbers = [*verdict.measures.values(), *(test.seconds for test in verdict.tests)]
    numbers += [n for score in verdict.sets.values() for n in (score.passed, score.total)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("text")
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise TypeError("number")


def refuse_odd_options(told: Any) -> None:
    """Those by which boards tell runs apart: one that is no such value would stop every board."""
    for name in ("timeout", "limit", "eval_tests", "hold_out", "test_seed"):
        if not isinstance(told.get(name, 0), int | float | None):
            raise TypeError(name)
    if not all(isinstance(text, str) for pair in told.get("tasks", ()) for text in pair):
        raise TypeError("tasks")
    if any(len(pair) != 2 for pair in told.get("tasks", ())):
        raise ValueError("tasks")


def refuse_odd_conditions(facts: Mapping[str, Any]) -> None:
    """What boards and `show` read of a run's provenance."""
    made_with = [of for of in facts.get("environments", {}).values() if of is not None]
    options = facts.get("options", {})
    texts = [facts.get("engine", ""), facts.get("judging", ""), *facts.get("command", [])]
    texts += [options.get("engine", ""), options.get("comparison", "")]
    texts += facts.get("interpreters", {}).values()
    texts += [of.get("version", "") for of in facts["suites"].values()]
    texts += [text for of in made_with for text in (of["set"], *of["pins"])]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("conditions")
    if not all(type(of.get("tasks", 0)) is int for of in facts["suites"].values()):
        raise TypeError("tasks")
    if not all(isinstance(of, dict) for of in facts["candidates"].get("sources", [])):
        raise TypeError("sources")
