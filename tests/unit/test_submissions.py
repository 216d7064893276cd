"""What is found in a run that somebody sent."""

from dataclasses import replace

import pytest

from made import make_run, make_task, make_verdict
from polyassay.measures.submitting.findings import (
    Finding,
    compare_verdicts,
    completeness_findings,
    condition_findings,
    likeness_findings,
    provenance_findings,
    suite_findings,
)
from polyassay.model import Candidate, CandidateKey, Outcome, Program, Suite
from polyassay.rules import RULES
from polyassay.store import Run, Store

TASKS = [make_task(f"t{n}", reference=f"return {n}") for n in range(4)]
SUITE = Suite("s", "1.0", "abc", tuple(TASKS), licence="MIT")


def answer(
    task: str, text: str, tool: str = "finch", sample: int = 0, **origin: object
) -> Candidate:
    return Candidate(CandidateKey("s", task, tool, "en", sample), text, origin=origin or None)


def refusing(findings: list[Finding]) -> list[str]:
    return [found.text for found in findings if found.refuses]


def test_suites_are_held_against_those_that_are_here() -> None:
    same, licence = list(suite_findings({"s": SUITE}, {"s": SUITE})), "MIT"
    assert refusing(same) == []
    assert licence in same[0].text
    assert "not here" in refusing(list(suite_findings({"s": SUITE}, {})))[0]
    newer = replace(SUITE, checksum="def", version="2.0")
    assert "2.0" in refusing(list(suite_findings({"s": SUITE}, {"s": newer})))[0]
    easier = replace(SUITE, tasks=tuple(replace(task, tests=task.tests[:1]) for task in TASKS))
    assert "other tasks or tests" in refusing(list(suite_findings({"s": easier}, {"s": SUITE})))[0]


@pytest.mark.parametrize(
    ("facts", "judged", "refused"),
    [
        ({"rules": RULES}, 4, 0),
        ({"rules": RULES - 1}, 4, 1),
        ({"rules": RULES}, 3, 1),
        ({"rules": RULES, "sandbox": "none", "options": {"limit": 2, "tasks": []}}, 4, 0),
        ({"rules": RULES, "options": "odd"}, 4, 0),
    ],
)
def test_conditions(facts: dict[str, object], judged: int, refused: int) -> None:
    found = list(condition_findings(Run("r1", "", facts), judged, 4))
    assert len(refusing(found)) == refused
    told = " ".join(one.text for one in found)
    assert ("without a sandbox" in told) is (facts.get("sandbox") == "none")
    assert ("--limit (2)" in told) is ("limit" in str(facts))


def test_what_is_missing_is_named() -> None:
    given = [answer("t0", "a"), answer("t1", "b"), answer("t1", "c", sample=1)]
    told = [found.text for found in completeness_findings(given, {"s": SUITE})]
    assert told[0].startswith("finch has no answer to 2 tasks of s (t2, t3)")
    assert told[1] == "finch has 1 to 2 samples a task."
    whole = [answer(task.id, "a") for task in TASKS]
    assert list(completeness_findings(whole, {"s": SUITE})) == []


def test_references_and_known_answers_are_recognised(store: Store) -> None:
    copied = [answer(task.id, f"  {task.reference}\n") for task in TASKS]
    (found,) = likeness_findings(copied, {"s": SUITE}, store)
    assert found.refuses
    assert "4 of 4 answers of finch" in found.text
    verdicts = [
        make_verdict(task.id, 2, tool="heron", program=Program("x", code="x")) for task in TASKS
    ]
    run = make_run(store, TASKS, verdicts)
    taken = [replace(c, key=replace(c.key, tool="mine")) for c in store.candidates(run.id)]
    told = [one.text for one in likeness_findings(taken, {}, store)]
    assert told == [f"4 answers of mine are those of heron in run {run.id}."]


def test_where_answers_come_from() -> None:
    given = [
        answer("t0", "a", "known", model={"asked": "m", "answered": "m-1"}),
        answer("t1", "b", "known", model="m-2"),
        answer("t0", "a", "half", via="openai"),
        answer("t1", "b", "half"),
        answer("t0", "a", "unknown"),
    ]
    told = [found.text for found in provenance_findings(given)]
    assert "known is several models: m-1, m-2." in told
    assert "1 of 2 answers of half say where they come from." in told
    assert "No answer of unknown says where it comes from." in told


def test_a_verdict_that_does_not_come_out_again_refuses() -> None:
    claimed = [make_verdict(f"t{n}", 2) for n in range(4)]
    here = [make_verdict("t0", 2), make_verdict("t1", 1), make_verdict("t2", 2)]
    here.append(make_verdict("t3", 0, outcome=Outcome.HARNESS_ERROR))
    found = compare_verdicts(claimed, here)
    assert (found.judged, found.same, found.not_judged) == (4, 2, 1)
    assert len(refusing(list(found.findings))) == 1
    assert "t1 of heron was passed 2/2 and is failed 1/2" in found.findings[0].text
    assert refusing(list(compare_verdicts([], here[:1]).findings))  # nothing was claimed for it
