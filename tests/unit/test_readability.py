"""Signals and findings: what they count, and what is unknown."""

import pytest

from polyassay.measures.readability import findings, linters
from polyassay.measures.readability.findings import Linted
from polyassay.measures.readability.signals import duplication, signals
from polyassay.measures.worth.people import spearman, with_people
from polyassay.model import CandidateKey, Language, Program

PYTHON = """
def best(values, limit=3):
    found = []
    for value in values:
        if value and value < limit:
            found.append(value)
    return found
"""
JAVA = """
public int count(int[] numbers, int limit) {
    int found = 0;
    for (int number : numbers) {
        if (number < limit && number > 0) {
            found++;
        } else if (number == limit) {
            found--;
        }
    }
    return found;
}
"""


def test_python_signals() -> None:
    found = signals(PYTHON, (PYTHON * 2,), "python")
    assert found["complexity"] == 4 and found["nesting"] == 2 and found["parameters"] == 2
    assert found["lines"] == 6 and found["duplication"] == 0.0
    assert found["name_length"] == pytest.approx((4 + 6 + 5 + 5 + 5) / 5)
    assert found["length_ratio"] == pytest.approx(0.5)


def test_java_signals() -> None:
    found = signals(JAVA, (), "java")
    assert found["complexity"] == 5 and found["nesting"] == 2 and found["parameters"] == 2
    assert found["lines"] == 11 and found["length_ratio"] is None


def test_code_without_a_function_has_signals_too() -> None:
    assert signals("[x for x in y if x]", (), "python")["complexity"] == 3
    assert signals("if (a) { b(); }", (), "java")["complexity"] == 2


@pytest.mark.parametrize("code", ["", "def f(:\n", "# only a comment"])
def test_what_does_not_parse_is_unknown(code: str) -> None:
    assert set(signals(code, (), "python").values()) == {None}


def test_repeated_blocks_are_duplication() -> None:
    block = ["a = 1", "b = 2", "c = 3"]
    assert duplication([*block, "x", *block, "y"]) == pytest.approx(6 / 8)
    assert duplication(["a", "b", "a", "b"]) == 0.0 == duplication([])


def test_findings_count_the_answers_lines_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [
        linters.LintFinding(0, 1, "bug"),
        linters.LintFinding(0, 3, "style"),
        linters.LintFinding(1, 0, ""),
    ]
    monkeypatch.setattr(linters, "lint_python", lambda programs: said)
    program = Program("import x\n\ndef f(): pass\n", first_line=3, code="def f(): pass\n")
    first, second = findings.findings([Linted.of(program)] * 2, Language.PYTHON)
    assert first["findings"] == first["findings_style"] == 100.0 and first["findings_bug"] == 0.0
    assert set(second.values()) == {None}


def test_a_linter_that_breaks_off_is_tried_on_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linters, "lint_python", lambda programs: None if "bad" in programs else [])
    found = findings.findings(
        [Linted(source, 1, 1) for source in ("a", "bad", "c", "d")], Language.PYTHON
    )
    assert [one["findings"] for one in found] == [0.0, None, 0.0, 0.0]


def test_classes_of_ruffs_rules() -> None:
    kinds = {"F401": "bug", "E711": "style", "SIM108": "complexity", "S307": "security"}
    kinds |= {"C901": "complexity", "PERF401": "performance", "PLW0603": "bug", "UP006": "style"}
    assert {code: linters._kind(code) for code in kinds} == kinds


def test_rank_correlation_with_people() -> None:
    from scipy.stats import spearmanr

    keys = [CandidateKey("s", str(i // 2), "t", "en", i % 2) for i in range(20)]
    values = {key: {"lines": float((i * 7) % 11)} for i, key in enumerate(keys)}
    means = {key: float((i * 5) % 4) for i, key in enumerate(keys)}
    (found,) = with_people(values, {"quality": means}, {k: k.task for k in keys}).values()
    x = [values[key]["lines"] for key in keys]
    expected = spearmanr(x, list(means.values())).statistic
    assert found["lines"].value == pytest.approx(expected) and found["lines"].n == 20
    assert found["lines"].interval is not None
    assert spearman_is_unknown_for_constants()


def spearman_is_unknown_for_constants() -> bool:
    import numpy as np

    return bool(np.isnan(spearman(np.ones(5), np.arange(5.0))))
