"""Limits that no process can have are refused wherever people write them."""

import json
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import is_time_limit
from polyassay.options import Options
from polyassay.study.file import read_study
from polyassay.suites.native.jsonl import read_tasks
from polyassay_harness.process.limits import unusable

ODD = ("nan", "inf", "-inf", "1e300", "1e9", "0", "-1", "0.001")
STUDY = """
suites = ["s"]
[[tool]]
name = "a"
via = "files"
path = "a"
[run]
"""


@pytest.mark.parametrize("value", ODD)
def test_no_flag_gives_a_test_such_a_time(value: str) -> None:
    with pytest.raises(PolyAssayError, match=r"No test can have .* seconds"):
        Options(timeout=float(value))
    assert Options(timeout=2.5).timeout == 2.5


@pytest.mark.parametrize("value", ODD)
def test_a_run_that_others_sent_gives_no_test_such_a_time(value: str) -> None:
    sent = {"imported": True, "options": {"timeout": float(value), "limit": 3}}
    assert Options.of(sent) == Options(limit=3)


@pytest.mark.parametrize("value", [*ODD[:4], "true", "'5'"])
def test_no_study_gives_a_test_such_a_time(value: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(f"{STUDY}timeout = {value}\n")
    with pytest.raises(PolyAssayError, match=r'study.toml, line 8: "timeout" must be seconds'):
        read_study(tmp_path / "study.toml")


@pytest.mark.parametrize("line", ["jobs = 0", "jobs = nan", "eval_tests = 1.5", "test_seed = -1"])
def test_no_study_counts_in_odd_numbers(line: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(f"{STUDY}{line}\n")
    with pytest.raises(PolyAssayError, match="must be a whole number"):
        read_study(tmp_path / "study.toml")
    (tmp_path / "study.toml").write_text(f"{STUDY}jobs = 1\ntest_seed = 0\ntimeout = 2\n")
    assert read_study(tmp_path / "study.toml").run == {"jobs": 1, "test_seed": 0, "timeout": 2}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e300", "0", "-1"])
@pytest.mark.parametrize("field", ["seconds", "total_seconds", "memory_mb"])
def test_no_suite_sets_such_a_limit(field: str, value: str, tmp_path: Path) -> None:
    task = {"id": "a", "language": "python", "style": "program", "prompts": {"en": "x"}}
    line = json.dumps(task | {"tests": [{"stdout": "a"}]})
    limits = f'"limits": {{"{field}": {value}}}'
    (tmp_path / "s.jsonl").write_text(f"{line[:-1]}, {limits}}}\n")
    with pytest.raises(PolyAssayError, match=f"{field}|{value} is not a JSON number"):
        read_tasks(tmp_path / "s.jsonl", "s")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, 0.0, -1.0])
@pytest.mark.parametrize("field", ["seconds", "total_seconds", "memory_mb"])
def test_a_zygote_says_which_limit_it_cannot_set(field: str, value: float) -> None:
    usual = {"seconds": 5.0, "total_seconds": 20.0, "memory_mb": 256}
    assert not unusable(usual)  # type: ignore[arg-type]
    assert field in unusable({**usual, field: value})  # type: ignore[arg-type, typeddict-item]


def test_ordinary_times_are_taken() -> None:
    assert all(map(is_time_limit, (0.01, 1, 10.0, 999_999_999)))
    assert not any(map(is_time_limit, (True, "5", None)))
