"""What `suites check` says about tasks that are wrong in one way or another."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from command_line import write_jsonl
from end_to_end.test_suite_trust import CLAMP, WEAK
from polyassay.cli import polyassay


def test_every_defect_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    without = {key: value for key, value in CLAMP.items() if key != "reference"}
    fine = [{"code": "assert clamp(5, 0, 3) == 3"}]
    rows: list[dict[str, Any]] = [
        WEAK,
        without | {"id": "unsolved", "tests": fine},
        CLAMP | {"id": "failing", "tests": [{"code": "assert clamp(5, 0, 3) == 4"}]},
        CLAMP | {"id": "lenient", "tests": [{"code": "clamp(5, 0, 3)"}]},
        CLAMP | {"id": "lacking", "tests": fine, "needs_network": True},
    ]
    write_jsonl(tmp_path / "mine.jsonl", rows)
    CliRunner().invoke(polyassay, ["suites", "add", "native", "--from", "mine.jsonl"])
    flags = ["--mutants", "all", "--repeat", "2"]
    checked = ["suites", "check", "mine", *flags]
    found = CliRunner().invoke(polyassay, checked, standalone_mode=False)
    assert found.return_value == 100, found.output
    lines = found.stdout.splitlines()
    assert lines[0] == "mine: 2 of 4 references pass, 1 task passes with an empty answer."
    assert (
        "  1 task without a reference: unsolved; nothing shows that a right answer passes there"
        in lines
    )
    assert any(re.match("  not runnable: lacking: .*network", line) for line in lines)
    assert any(line.startswith("  reference of failing: ") for line in lines)
    assert "  weak tests: lenient passes with an empty answer" in lines
    assert "  left out: 0 that compile to the same code, 0 that do not compile" in lines
    assert "  lenient: 0 of 3 caught" in lines
    assert any(line.startswith("    not caught: line 2, ") for line in lines)


def test_tasks_without_a_reference_are_named_for_programs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    without = {key: value for key, value in CLAMP.items() if key != "reference"}
    fine = [{"code": "assert clamp(5, 0, 3) == 3"}]
    rows = [CLAMP | {"id": "solved", "tests": fine}, without | {"id": "unsolved", "tests": fine}]
    write_jsonl(tmp_path / "mine.jsonl", rows)
    CliRunner().invoke(polyassay, ["suites", "add", "native", "--from", "mine.jsonl"])
    found = CliRunner().invoke(polyassay, ["suites", "check", "mine", "--json"])
    assert json.loads(found.stdout)["without_reference"] == ["unsolved"]
    shown = CliRunner().invoke(polyassay, ["suites", "show", "mine"]).stdout
    assert "1 of 1 pass; 1 task without one" in shown


@pytest.mark.parametrize(("change", "code"), [({}, 0), ({"test_source": "Mox.max()"}, 100)])
def test_tests_that_cannot_be_tried_fail_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    call = change.get("test_source", "Max.max()")
    source = f"class MaxTest {{ Max m; @org.junit.jupiter.api.Test void a() {{ {call}; }} }}"
    row = {
        "id": "max",
        "language": "java",
        "style": "junit",
        "class_name": "Max",
        "signature": "public static int max()",
        "prompts": {"en": "The largest."},
        "test_source": source.replace(
            f"{{ {call}; }}", f"{{ if ({call} != 3) throw new Error(); }}"
        ),
        "reference": "public class Max { public static int max() { return 3; } }",
    }
    write_jsonl(tmp_path / "mine.jsonl", [row])
    CliRunner().invoke(polyassay, ["suites", "add", "native", "--from", "mine.jsonl"])
    found = CliRunner().invoke(polyassay, ["suites", "check", "mine"], standalone_mode=False)
    assert found.return_value == code, found.output
    assert ("not runnable: max: " in found.stdout) is bool(code)
    assert ("Empty answers failed, as they should." in found.stdout) is not bool(code)
