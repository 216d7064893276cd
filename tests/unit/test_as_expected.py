"""tools/as-expected: only what is known is compared, and every difference is told."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from scripts import script

SUITES = ("odex_en", "odex_es", "odex_ja", "odex_ru", "aixbench_copilot", "aixbench_aixcoder")
FILES = {f"expected/{name}.jsonl": "" for name in SUITES} | {
    f"expected/mbupp_{name}.jsonl": ""
    for name in ("MBPP", "MBPP_UpdatedNL", "MBPP_UpdatedTC", "MBUPP-MBPP_UpdatedNL_TC")
}
FILES |= {
    "evalplus/humanevalplus_expected.jsonl": "",
    "evalplus/mbppplus_expected.jsonl": "",
    "multipl-e-java/expected.jsonl": "",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    known = FILES | {
        "expected/odex_en.jsonl": '{"index": 0, "passed_tests": [0], "flaky": false}\n'
        '{"index": 1, "passed_tests": [], "flaky": true}\n',
        "expected/aixbench_copilot.jsonl": (
            '{"task_id": 7, "passed": 3, "total": 5, "varies": false}'
        ),
        "evalplus/humanevalplus_expected.jsonl": (
            '{"task": "HumanEval/0", "base": "pass", "plus": "fail"}'
        ),
    }
    for name, text in known.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def verdict(suite: str, task: str, tool: str, *passing: str, **more: Any) -> dict[str, Any]:
    tests = [
        {"name": name, "status": "passed" if name in passing else "failed"}
        for name in more.pop("names", ("test_0", "test_1"))
    ]
    start = {"suite": suite, "task": task, "tool": tool, "sample": 0, "outcome": "failed"}
    return start | {"tests": tests, "passed": len(passing), "total": 5} | more


def held(
    data: Path, verdicts: list[dict[str, Any]], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, dict[str, Any]]:
    lines = "\n".join(map(json.dumps, verdicts))
    monkeypatch.setattr("sys.argv", ["as-expected", str(data), "--json"])
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    code = script("as-expected").main()
    return code, json.loads(capsys.readouterr().out)


def test_what_agrees_is_counted_and_what_varies_is_not_compared(data, capsys, monkeypatch):
    code, found = held(
        data,
        [
            verdict("odex", "en/0", "reference", "test_0"),
            verdict("odex", "en/1", "reference", "test_0"),
            verdict("humanevalplus", "HumanEval/0", "model", "base", names=("base", "plus")),
        ],
        capsys,
        monkeypatch,
    )
    assert code == 0
    assert found["suites"]["odex"] == {"equal": 1, "varies": 1, "differ": []}
    assert found["suites"]["humanevalplus"]["equal"] == 1


def test_another_count_of_tests_is_a_difference(data, capsys, monkeypatch):
    code, found = held(data, [verdict("aixbench", "7", "copilot", "test_0")], capsys, monkeypatch)
    assert code == 1
    (one,) = found["suites"]["aixbench"]["differ"]
    assert (one["task"], one["here"], one["expected"]) == ("7", [1, 5], [3, 5])


def test_built_in_answers_are_never_taken_for_published_ones(data, capsys, monkeypatch):
    mine = [verdict("humanevalplus", "HumanEval/0", "reference"), verdict("own", "a", "model")]
    code, found = held(data, mine, capsys, monkeypatch)
    assert found == {"suites": {}, "left_out": {"humanevalplus reference": 1, "own model": 1}}
    assert code == 1  # nothing was compared, so nothing was shown


def test_a_folder_without_expected_verdicts_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["as-expected", str(tmp_path)])
    assert script("as-expected").main() == 2
    assert "Hint:" in capsys.readouterr().err
