"""What is found in a run that somebody sent."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from made import make_run, make_task, make_verdict
from polyassay.measures.submitting.bare_code import bare_code
from polyassay.measures.submitting.findings import (
    Finding,
    compare_verdicts,
    completeness_findings,
    condition_findings,
    provenance_findings,
    result_findings,
    suite_findings,
)
from polyassay.measures.submitting.likeness import likeness_findings
from polyassay.measures.submitting.names import name_findings
from polyassay.measures.submitting.shape import shape
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Outcome,
    Program,
    Suite,
    Task,
)
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


def programs(candidates: Iterable[Candidate]) -> dict[CandidateKey, Program]:
    return {one.key: Program(one.answer, code=one.answer) for one in candidates}


def codes_of(store: Store, run: Run, tool: str) -> dict[CandidateKey, Program]:
    """The code of a run, under the name of another tool."""
    return {
        replace(verdict.candidate, tool=tool): verdict.program
        for verdict in store.verdicts(run.id)
        if verdict.program
    }


def shape_of(code: str, task: Task | None) -> str:
    """As the helper process has it, in this one."""
    return shape(code, task.language, task.entry) if task else code


def likeness(
    given: Mapping[CandidateKey, Program], store: Store, suite: Suite = SUITE
) -> list[Finding]:
    return list(likeness_findings(given, {"s": suite}, store, shape_of))


def test_references_and_known_answers_are_recognised(store: Store) -> None:
    copied = programs(answer(task.id, f"  {task.reference}\n") for task in TASKS)
    (found,) = likeness(copied, store)
    assert found.refuses
    assert "4 of 4 answers of finch" in found.text
    verdicts = [
        make_verdict(task.id, 2, tool="heron", program=Program("x", code="x")) for task in TASKS
    ]
    run = make_run(store, TASKS, verdicts)
    taken = codes_of(store, run, "mine")
    references, copies = likeness(taken, store)
    assert references.text.startswith("0 of 4 answers of mine are the suite's references;")
    assert copies.text == f"4 of 4 answers of mine are those of heron in run {run.id}."
    assert copies.refuses
    _, again = likeness(codes_of(store, run, "heron"), store)
    assert again.sign == "·"  # the same tool's answers, sent again
    two = dict(list(taken.items())[:2])
    _, half = likeness({**two, **programs([answer("t2", "a", "mine")])}, store)
    assert half.sign == "!"


@pytest.mark.parametrize(
    "changed",
    [
        "return {n}  # falcon",
        "# falcon\n\n\nreturn   {n}\n",
        '"""By falcon."""\nreturn {n}',
        "'''By falcon.'''  # 'quoted'\nreturn {n}",
    ],
)
def test_comments_and_layout_make_no_copy_another_answer(store: Store, changed: str) -> None:
    given = programs(answer(task.id, changed.format(n=n)) for n, task in enumerate(TASKS))
    (of_references,) = likeness(given, store)
    assert of_references.refuses
    known = [
        make_verdict(f"t{n}", 2, program=Program("", code=f"return {n}")) for n in range(len(TASKS))
    ]
    run = make_run(store, TASKS, known)
    without = replace(SUITE, tasks=tuple(replace(task, reference="") for task in TASKS))
    (of_heron,) = likeness(given, store, without)
    assert of_heron.text == f"4 of 4 answers of finch are those of heron in run {run.id}."
    assert of_heron.refuses


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("int a = 1; // x", "/* y */ int a=1;", Language.JAVA, True),
        ('a("// x")', 'a("// y")', Language.JAVA, False),
        ("a('# x')", "a('# y')", Language.PYTHON, False),
        ("return ab", "return a b", Language.PYTHON, False),
        ('x = """a"""', 'x = """b"""', Language.PYTHON, False),
        ("/* " * 50_000, "", Language.JAVA, True),
        ("x" + "\"'" * 50_000, "x", Language.PYTHON, False),
    ],
)
def test_bare_code(one: str, other: str, language: Language, same: bool) -> None:
    assert (bare_code(one, language) == bare_code(other, language)) is same


def test_answers_to_what_no_other_tool_was_asked_hide_no_copy(store: Store) -> None:
    tasks = [make_task(f"t{n}") for n in range(30)]
    suite = Suite("s", "1.0", "abc", tuple(tasks))
    known = [make_verdict(f"t{n}", 2, program=Program("", code=f"f({n})")) for n in range(12)]
    run = make_run(store, tasks, known)
    padded = programs(answer(f"t{n}", f"g({n})") for n in range(12, 30))
    (found,) = likeness({**codes_of(store, run, "finch"), **padded}, store, suite)
    assert found.refuses
    assert found.text == (
        "12 of 12 answers of finch to what heron was asked, too, are those of heron "
        f"in run {run.id}."
    )


def test_a_few_simple_tasks_are_soon_alike(store: Store) -> None:
    tasks = [make_task(f"t{n}") for n in range(30)]
    suite = Suite("s", "1.0", "abc", tuple(tasks))
    known = [make_verdict(f"t{n}", 2, program=Program("", code=f"f({n})")) for n in range(4)]
    make_run(store, tasks, known)
    (found,) = likeness(programs(answer(f"t{n}", f"f({n})") for n in range(30)), store, suite)
    assert found.sign == "!"


def test_who_passes_nearly_everything_is_looked_at() -> None:
    verdicts = [make_verdict(f"t{n}", 2) for n in range(20)]
    (found,) = result_findings(verdicts)
    assert found.look
    assert "20 of 20 answers of heron passed, which is nearly everything." in found.text
    assert not any(one.look for one in result_findings(verdicts[:9]))
    failed = [make_verdict(f"u{n}", 1) for n in range(2)]
    assert not any(one.look for one in result_findings([*verdicts, *failed]))


def test_fewer_prompt_languages_than_the_board_asks_are_told() -> None:
    tasks = tuple(make_task(task.id, prompts={"en": "Do.", "zh": "做。"}) for task in TASKS)
    given = [answer(task.id, "a") for task in tasks]
    (found,) = completeness_findings(given, {"s": replace(SUITE, tasks=tasks)})
    assert found.text == (
        "finch on s: only en; the board asks en, zh: a board apart; "
        "ranked with the others by --prompt-language en."
    )
    assert found.sign == "·"


def test_every_sent_answer_is_counted_once_whatever_else_is_here(store: Store) -> None:
    same = Program("x", code="return 1")
    sampled = [
        make_verdict(f"t{n}", n % 3, tool="finch", sample=sample, program=same)
        for n in range(4)
        for sample in range(3)
    ]
    run = make_run(store, TASKS, sampled)
    every = codes_of(store, run, "finch")
    best = {key: program for key, program in every.items() if key.sample == 0}
    (chosen,) = likeness_findings(best, {}, store, shape_of)
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
        ("heron.", "✗"),
        ("\u2605 heron", "✗"),
        ("x" * 201, "✗"),
        ("heron+", ""),
        ("heron.2", ""),
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
