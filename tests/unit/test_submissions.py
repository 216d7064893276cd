"""What is found in a run that somebody sent."""

from collections import Counter
from dataclasses import replace

import pytest

from made import make_run, make_task, make_verdict
from polyassay.measures.submitting.findings import (
    Finding,
    compare_verdicts,
    completeness_findings,
    condition_findings,
    provenance_findings,
    suite_findings,
)
from polyassay.measures.submitting.likeness import likeness_findings, name_findings
from polyassay.model import Candidate, CandidateKey, Outcome, Program, Suite
from polyassay.rules import RULES
from polyassay.store import Run, Store
from polyassay.suites.make import checksum_of, content_problem

TASKS = [make_task(f"t{n}", reference=f"return {n}") for n in range(4)]
SUITE = Suite("s", "1.0", "abc", tuple(TASKS), licence="MIT")


def answer(
    task: str, text: str, tool: str = "finch", sample: int = 0, **origin: object
) -> Candidate:
    return Candidate(CandidateKey("s", task, tool, "en", sample), text, origin=origin or None)


def refusing(findings: list[Finding]) -> list[str]:
    return [found.text for found in findings if found.refuses]


def test_suites_are_held_against_those_that_are_here() -> None:
    same, licence = list(suite_findings({"s": SUITE}, {"s": SUITE}, {})), "MIT"
    assert refusing(same) == []
    assert licence in same[0].text
    assert "not here" in refusing(list(suite_findings({"s": SUITE}, {}, {})))[0]
    newer = replace(SUITE, checksum="def", version="2.0")
    assert "2.0" in refusing(list(suite_findings({"s": SUITE}, {"s": newer}, {})))[0]
    easier = replace(SUITE, tasks=tuple(replace(task, tests=task.tests[:1]) for task in TASKS))
    real = replace(SUITE, checksum=checksum_of("s", {}, TASKS))
    assert content_problem(real) == ""
    problem = content_problem(replace(easier, checksum=real.checksum))
    (told,) = refusing(list(suite_findings({"s": easier}, {"s": real}, {"s": problem})))
    assert "other tasks or tests" in told


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
    claimed = Counter({Outcome.PASSED: judged})
    found = list(condition_findings(Run("r1", "", facts), claimed, 4))
    assert len(refusing(found)) == refused
    told = " ".join(one.text for one in found)
    assert ("without a sandbox" in told) is (facts.get("sandbox") == "none")
    assert ("--limit (2)" in told) is ("limit" in str(facts))


def test_what_is_missing_is_named() -> None:
    given = [answer("t0", "a"), answer("t1", "b"), answer("t1", "c", sample=1)]
    missing, unequal = completeness_findings(given, {"s": SUITE})
    assert missing.text.startswith("finch has no answer to 2 tasks of s (t2, t3)")
    assert unequal.text.startswith("finch has 1 to 2 samples a task of s")
    assert unequal.refuses and not missing.refuses  # the best samples may have been chosen
    chosen = replace(SUITE, tasks=SUITE.tasks[:2])
    assert not [f for f in completeness_findings(given, {"s": chosen}) if "no answer" in f.text]
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
    (copies,) = likeness_findings(taken, {}, store)
    assert copies.text == f"4 of 4 answers of mine are those of heron in run {run.id}."
    assert copies.refuses
    (again,) = likeness_findings(list(store.candidates(run.id)), {}, store)
    assert again.sign == "·"  # the same tool's answers, sent again
    (half,) = likeness_findings([*taken[:2], answer("t2", "a", "mine")], {}, store)
    assert half.sign == "!"


def test_every_sent_answer_is_counted_once_whatever_else_is_here(store: Store) -> None:
    same = Program("x", code="return 1")
    sampled = [
        make_verdict(f"t{n}", n % 3, tool="finch", sample=sample, program=same)
        for n in range(4)
        for sample in range(3)
    ]
    run = make_run(store, TASKS, sampled)
    best = [c for c in store.candidates(run.id) if c.key.sample == 0]
    (chosen,) = likeness_findings(best, {}, store)
    assert chosen.refuses  # one of three samples, and nobody knows which
    assert chosen.text.startswith(f"4 of 4 answers of finch are those of finch in run {run.id}, ")
    assert "3 samples of a task where this has 1" in chosen.text


@pytest.mark.parametrize(
    ("tool", "sign"),
    [
        ("h\u0435ron", "✗"),
        ("Heron", "✗"),
        ("her0n", "✗"),
        ("heron\u200b", "✗"),
        ("reference", "✗"),
        ("Empty", "✗"),
        ("ab\u202ecd", "✗"),
        ("heron", "!"),
        ("heron-2", ""),
        ("\u8717\u725b", ""),
    ],
)
def test_names_that_a_board_cannot_tell_apart(store: Store, tool: str, sign: str) -> None:
    make_run(store, TASKS, [make_verdict("t0", 2)])
    found = list(name_findings([tool], store.runs(), set()))
    assert {one.sign for one in found} == set(sign)
    assert not list(name_findings(["heron"], store.runs(), {"heron"}))


def test_verdicts_that_leave_the_figures_are_told() -> None:
    claimed = Counter({Outcome.PASSED: 3, Outcome.HARNESS_ERROR: 1})
    (found,) = condition_findings(Run("r1", "", {"rules": RULES}), claimed, 4)
    assert found.text.startswith("1 of 4 verdicts say that the tool is not to blame")
    assert found.look


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
    result, differs = found.findings[:2]
    told = "2 of 4 answers of heron passed (1 failed, 1 harness_error)."
    assert result.text == told
    assert "t1 (en, sample 0) of heron was passed 2/2 and is failed 1/2" in differs.text
    assert not refusing(list(compare_verdicts(None, here).findings))  # answers claim nothing
    assert refusing(list(compare_verdicts([], here[:1]).findings))  # nothing was claimed for it
