"""Figures 17 to 20 of the ODEX paper: low BLEU that passes, high BLEU that fails."""

import pytest

from polyassay.measures.surface import published
from polyassay.measures.worth import tags
from polyassay.measures.worth.mining import JudgedSample, mine
from polyassay.model import CandidateKey

# figure → reference, prediction, whether it passes, BLEU by the published code, tags
# (The paper prints 4.8, 0.6, 0.925 and 100.0.)
FIGURES = {
    17: (
        "my_dict.update((x, y * 2) for x, y in list(my_dict.items()))",
        "for key in my_dict:\n    my_dict[key] *= 2",
        True,
        0.103,
        [tags.OTHER_WAY],
    ),
    18: ("bytes.fromhex('4a4b4c').decode('utf-8')", "'JKL'", True, 0.006, [tags.LITERAL]),
    19: (
        r"re.findall('\\((.*?)\\)|(\\w)', '(zyx)bc')",
        r"re.match('\\((.*?)\\)|(\\w)', '(zyx)bc')",
        False,
        0.925,
        [tags.ONE_EDIT, tags.OTHER_FUNCTION],
    ),
    20: (
        "app.config['SECRET_KEY'] = \"Your_secret_string\"",
        "app.config['SECRET_KEY'] = 'Your_secret_string'",
        False,
        1.0,
        [tags.SPACES],
    ),
}
# Answers that are as good or bad as they look, among which the figures must stand out.
PLAIN = {
    "near pass": ("sorted(x, key=len)", "sorted(x, key=len)", True),
    "far failure": ("sum(values) / len(values)", "print('no')", False),
}


def judged(name: str, reference: str, answer: str, passed: bool) -> JudgedSample:
    values = published.odex(answer, [reference], "python").values
    found = tags.tags(answer, [reference], "python")
    return JudgedSample(
        CandidateKey("odex", name, "m", "en", 0), passed, dict(values), tuple(found)
    )


def test_the_papers_cases_are_found_and_tagged() -> None:
    samples = [judged(str(n), r, a, p) for n, (r, a, p, _, _) in FIGURES.items()]
    samples += [judged(name, *texts) for name, texts in PLAIN.items()]
    found = mine(samples, "bleu", most=2)
    assert {case.key.task for case in found[:2]} == {"17", "18"}
    assert [case.key.task for case in found[2:]] == ["20", "19"]
    for case in found:
        assert list(case.tags) == FIGURES[int(case.key.task)][4]
        assert case.value == pytest.approx(FIGURES[int(case.key.task)][3], abs=0.001)


@pytest.mark.parametrize(
    ("answer", "reference", "language", "tag"),
    [
        ("[1, -2, {'a': None}]", "f(x)", "python", tags.LITERAL),
        ("return 42;", "return a + b;", "java", tags.LITERAL),
        ("return Math.min(a, b);", "return Math.max(a, b);", "java", tags.OTHER_FUNCTION),
        ("x = 1", "x = 2", "python", tags.ONE_EDIT),
        ("f( x )", "f(x)", "python", tags.SPACES),
        ("f(x)\n", "f(x)", "python", tags.SAME),
        ("np.max(x) + 1", "np.min(x) * 2 - y", "python", tags.OTHER_FUNCTION),
        ("for x in (", "x", "python", tags.OTHER_WAY),
    ],
)
def test_tags(answer: str, reference: str, language: str, tag: str) -> None:
    assert tag in tags.tags(answer, [reference], language)


def test_a_called_function_is_no_literal() -> None:
    assert tags.tags("[f(1)]", ["[1]"], "python") == [tags.OTHER_WAY]
    assert tags.tags("", ["x"], "python") == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("abc", "abd", True), ("abc", "ab", True), ("ab", "abc", True), ("abc", "abc", False),
     ("abc", "xbd", False), ("", "a", True), ("abcd", "ab", False), ("bc", "abc", True)],
)  # fmt: skip
def test_one_edit_apart(first: str, second: str, expected: bool) -> None:
    assert tags.one_edit_apart(first, second) is expected


def test_one_case_a_task_and_tool() -> None:
    samples = [
        JudgedSample(CandidateKey("s", "t", "m", "en", i), True, {"bleu": 0.1 * i})
        for i in range(5)
    ]
    (case,) = mine(samples, "bleu", most=3)
    assert case.key.sample == 0
    assert mine(samples, "unheard of", most=3) == []
