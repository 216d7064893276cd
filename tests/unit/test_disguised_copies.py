"""Copies that were changed at no cost, references among answers, and samples that were chosen."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from made import make_run, make_task, make_verdict
from polyassay.measures.submitting.findings import Finding
from polyassay.measures.submitting.likeness import likeness_findings
from polyassay.measures.submitting.sampling import number_findings
from polyassay.measures.submitting.shape import shape
from polyassay.model import Candidate, CandidateKey, Language, Program, Suite, Task
from polyassay.store import Store

PLAIN = """
def total(xs):
    found = 0
    for x in xs:
        found += x
    return found
"""
DISGUISED = [
    "import os\n" + PLAIN,
    PLAIN + "\n\ndef helper(a):\n    return a * 2\n",
    PLAIN + "\n\ndef one():\n    return two()\n\n\ndef two():\n    return 2\n",
    PLAIN.replace("return found", "return (found)"),
    PLAIN.replace("    found = 0", "    pass\n    found = 0"),
    PLAIN.replace("found = 0", "found: int = 0").replace("(xs)", "(xs: list[int]) -> int"),
    PLAIN.replace("found", "result").replace("x ", "item ").replace("+= x", "+= item"),
    PLAIN.replace("    found = 0", '    """Adds."""\n    x_0 = 0\n    found = 0'),
    "\n".join("  " + line for line in PLAIN.splitlines()),
]
OTHERS = [
    PLAIN.replace("+=", "-="),
    PLAIN.replace("found = 0", "found = 1"),
    PLAIN.replace("return found", "return xs"),
    PLAIN.replace("for x in xs", "for x in sorted(xs)"),
    PLAIN.replace("def total", "def sum_of"),
    "def helper(a):\n    return a\n",
    "def total(xs) return",
    "pass",
]


@pytest.mark.parametrize("changed", DISGUISED)
def test_python_is_known_whatever_does_nothing_in_it(changed: str) -> None:
    assert shape(changed, "python", "total") == shape(PLAIN, "python", "total")


@pytest.mark.parametrize("other", OTHERS)
def test_what_does_something_else_is_another_answer(other: str) -> None:
    assert shape(other, "python", "total") != shape(PLAIN, "python", "total")


def test_what_does_nothing_is_like_no_answer() -> None:
    assert shape("pass", "python") == shape("import os\n", "python", "f") == ""
    assert shape("def f(a):\n    return 1\n", "python") != shape("", "python")
    deep = "x = " + "-" * 5_000 + "1\n"
    assert shape(deep, "python") == shape(deep + "# end", "python") != ""


JAVA = (
    "public int f(List<String> xs) { int t = 0; for (String x : xs) { t += x.size(); } return t; }"
)


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ("import java.util.List;\n@Override " + JAVA, True),
        (JAVA.replace("return t;", "return (t);").replace("int t", "final int t"), True),
        (JAVA.replace(" t ", " sum ").replace(" t;", " sum;").replace("xs", "values"), True),
        (JAVA.replace("size()", "length()"), False),
        (JAVA.replace("int f(", "int g("), False),
        (JAVA.replace("return t", "return xs"), False),
        (JAVA.replace("t += x", "t -= x"), False),
    ],
)
def test_java_is_known_by_its_words(changed: str, same: bool) -> None:
    assert (shape(changed, "java") == shape(JAVA, "java")) is same


LONG = "\n".join(f"    a{n} = f{n}(xs[{n}], {n} + 1)" for n in range(8))


def asked(many: int, long: bool) -> Suite:
    tasks = [
        make_task(
            f"t{n}",
            language=Language.PYTHON,
            entry="f",
            reference=f"def f(xs):\n{LONG if long else ''}\n    return xs[{n}]\n",
        )
        for n in range(many)
    ]
    return Suite("s", "1.0", "abc", tuple(tasks))


def shape_of(code: str, task: Task | None) -> str:
    return shape(code, task.language, task.entry) if task else code


def given(suite: Suite, copied: int, samples: int = 1) -> dict[CandidateKey, Program]:
    found = {}
    for n, task in enumerate(suite.tasks):
        for sample in range(samples):
            code = task.reference if n < copied else f"def f(xs):\n    return {n}\n"
            key = CandidateKey("s", task.id, "finch", "en", sample)
            found[key] = Program(code, code=code + f"# {sample}\n")
    return found


def about(
    name: str, programs: dict[CandidateKey, Program], suite: Suite, store: Store
) -> list[Finding]:
    found = likeness_findings(programs, {"s": suite}, store, shape_of)
    return [one for one in found if one.about == name]


@pytest.mark.parametrize(
    ("copied", "long", "sign", "told"),
    [
        (0, True, "·", "0 of 20 answers of finch are the suite's references: short"),
        (2, True, "·", "2 of 20 answers of finch are the suite's references, 2 of them long"),
        (3, True, "!", "3 of 20 answers of finch are the suite's references, 3 of them long"),
        (9, False, "·", "9 of 20 answers of finch are the suite's references: short"),
        (10, False, "!", "10 of 20 answers of finch are the suite's references: were"),
        (18, False, "✗", "18 of 20 answers of finch are the suite's references: were"),
    ],
)
def test_how_many_answers_are_references_is_always_told(
    store: Store, copied: int, long: bool, sign: str, told: str
) -> None:
    suite = asked(20, long)
    (found,) = about("references", given(suite, copied), suite, store)
    assert (found.sign, found.text.startswith(told)) == (sign, True)


def test_a_share_is_held_against_that_of_other_tools(store: Store) -> None:
    suite = asked(40, long=False)

    def others_have(count: int) -> Sequence[Finding]:
        verdicts = [
            make_verdict(t.id, 2, tool=f"heron-{count}", program=Program("", code=code))
            for n, t in enumerate(suite.tasks)
            if (code := t.reference if n < count else "def f(xs):\n    return 9\n")
        ]
        make_run(store, suite.tasks, verdicts)
        return about("references", given(suite, 14), suite, store)

    (alone,) = others_have(1)
    assert alone.look and "other tools here have 2% at most" in alone.text
    (like_others,) = others_have(12)  # an easy suite: 14 of 40 is no more than others have
    assert not like_others.look and "30% at most" in like_others.text


def test_one_answer_several_times_is_told(store: Store) -> None:
    suite = asked(5, long=False)
    (changed,) = about("samples", given(suite, 0, samples=5), suite, store)
    assert changed.sign == "!" and "in 5 of 5 tasks, changed in what does nothing" in changed.text
    same = {key: replace(p, code=p.source) for key, p in given(suite, 0, samples=5).items()}
    (told,) = about("samples", same, suite, store)
    assert told.sign == "·"
    drawn = {key: Program("", code=f"{p.source}\n\nf({key.sample})\n") for key, p in same.items()}
    assert not about("samples", drawn, suite, store)
    assert not about("samples", given(suite, 0), suite, store)


@pytest.mark.parametrize(
    ("numbers", "found"),
    [((0, 1, 2), False), ((1, 2), False), ((3, 17), True), ((0, 2), True), ((7,), True)],
)
def test_numbers_that_are_left_out_are_told(numbers: Sequence[int], found: bool) -> None:
    answers = [
        Candidate(CandidateKey("s", task, "finch", "en", number), "x")
        for task in ("a", "b")
        for number in numbers
    ]
    told = [one.text for one in number_findings(answers)]
    assert bool(told) is found
    if found:
        shown = ", ".join(map(str, numbers))
        assert f"2 of 2 tasks are not numbered one after the other ({shown})" in told[0]
