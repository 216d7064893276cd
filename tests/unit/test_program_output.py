"""When what a program printed is what it should have printed."""

import json
from pathlib import Path

import pytest

from polyassay.comparison.output import OutputRule, difference, rule_of
from polyassay.errors import PolyAssayError
from polyassay.suites.native import folder, jsonl

TRIMMED, EXACT, FLOATS = OutputRule(), OutputRule(exact=True), OutputRule(tolerance=1e-6)


@pytest.mark.parametrize(
    ("rule", "expected", "printed", "same"),
    [
        (TRIMMED, "a\nb\n", "a\nb", True),
        (TRIMMED, "a\nb\n", "a  \nb\t\n\n\n", True),
        (TRIMMED, "a\nb", "a\r\nb\r\n", True),
        (TRIMMED, "", "\n \n", True),
        (TRIMMED, "a\n\nb", "a\nb", False),
        (TRIMMED, " a", "a", False),
        (TRIMMED, "a  b", "a b", False),
        (TRIMMED, "1.0", "1.00", False),
        (TRIMMED, "a", "a\nb", False),
        (TRIMMED, "a\nb", "a", False),
        (EXACT, "a\n", "a\n", True),
        (EXACT, "a\n", "a", False),
        (EXACT, "a\n", "a \n", False),
        (FLOATS, "0.333333 x", "0.3333333333 x", True),
        (FLOATS, "1e6 2", "1000000.5 2", True),
        (FLOATS, "0.5", "0.50001", False),
        (FLOATS, "0.5 0.5", "0.5", False),
        (FLOATS, "1", "1_0", False),
        (FLOATS, "nan", "inf", False),
        (FLOATS, "1e400", "2e400", False),
        (FLOATS, "yes", "Yes", False),
    ],
)
def test_outputs(rule: OutputRule, expected: str, printed: str, same: bool) -> None:
    assert (difference(rule, expected, printed.encode()) == "") is same


def test_the_difference_says_where() -> None:
    found = difference(TRIMMED, "a\nb\nc", b"a\nx\nc")
    assert found == "line 2: expected 'b' but was 'x'"
    assert difference(TRIMMED, "a\nb", b"a") == "line 2: expected 'b' but was no line"
    assert "\\xff" not in difference(TRIMMED, "a", b"\xff")


@pytest.mark.parametrize(
    "extra",
    [
        {"output": "loose"},
        {"tolerance": "much"},
        {"tolerance": "-1"},
        {"tolerance": "1e9999"},
        {"tolerance": "2"},
        {"output": "exact", "tolerance": "0.1"},
        {"tolerance": "nan"},
    ],
)
def test_a_rule_that_is_none_is_refused(extra: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must be|does not go"):
        rule_of(extra)
    row = {"id": "t", "language": "python", "style": "program", "prompts": {}, "extra": extra}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(row | {"tests": [{"stdout": "1"}]}))
    with pytest.raises(PolyAssayError, match="wrong about the output"):
        jsonl.read(path, None)


def test_a_suite_declares_for_all_of_its_tasks(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text('name = "s"\n[extra]\ntolerance = "1e-3"\n')
    for name, more in (("usual", ""), ("own", '[extra]\ntolerance = "1e-9"\n')):
        cases = tmp_path / name / "cases"
        cases.mkdir(parents=True)
        (cases / "one.out").write_text("1.5\n")
        about = 'language = "python"\nstyle = "program"\n[prompts]\nen = "…"\n'
        (tmp_path / name / "task.toml").write_text(about + more)
    (suite,) = folder.read(tmp_path, None)
    found = {task.id: rule_of(task.extra).tolerance for task in suite.tasks}
    assert found == {"usual": 1e-3, "own": 1e-9}


@pytest.mark.parametrize(
    ("language", "style", "name", "value"),
    [
        ("python", "program", "tolerance", 1e-6),
        ("java", "program", "tolerance", "1e-6"),
        ("python", "program", "output", {"tolerance": "1e-6"}),
        ("python", "program", "published_total", 4),
        ("python", "pytest", "module", "stack"),
        ("java", "junit", "extends", "Base"),
    ],
)
def test_what_belongs_in_extra_is_refused_beside_it(
    language: str, style: str, name: str, value: object, tmp_path: Path
) -> None:
    row = {"id": "t", "language": language, "style": style, "prompts": {}, name: value}
    row |= {"test_source": "def test_a(): pass", "class_name": "A"} if style != "program" else {}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(row | {"tests": [{"name": "a", "stdout": "1"}]}))
    with pytest.raises(PolyAssayError, match=f'"{name}" means nothing here') as refused:
        jsonl.read(path, None)
    assert f'{name} = "' in refused.value.hint


def test_a_suite_cannot_declare_it_beside_extra_either(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text('name = "s"\ntolerance = "1e-3"\n')
    with pytest.raises(PolyAssayError, match='"tolerance" means nothing here'):
        folder.read(tmp_path, None)


def test_fields_of_the_authors_own_stay_theirs(tmp_path: Path) -> None:
    row = {"id": "t", "language": "python", "style": "function", "entry": "f", "prompts": {}}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(row | {"tests": [{"code": "f()"}], "output": "a number"}))
    assert jsonl.read(path, None)[0].tasks[0].extra == {}
