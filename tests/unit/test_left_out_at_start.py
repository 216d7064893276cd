"""What `run --skip-bad` and `--answered-only` leave out is kept with the run, and said of it."""

from pathlib import Path
from typing import Any

import pytest

from answer_files import a_suite, by_name, write
from made import make_run, make_task
from measured import TASKS, answers, call
from polyassay.candidates.selection import Selection
from polyassay.candidates.sources import read_sources
from polyassay.store import Store

LINES = "Not read: 3 lines of finch (`--skip-bad`)."
TASKS_LEFT = "Left out: 14 of 54 tasks that some tool has not answered (`--answered-only`)."


@pytest.fixture
def run(store: Store) -> str:
    sources: list[dict[str, Any]] = [
        {"path": "a.jsonl", "format": "native", "tools": ["finch"], "bad_lines": 3},
        {"unanswered": 14, "of": 54},
    ]
    verdicts = answers("finch", range(10)) + answers("heron", range(30))
    return make_run(store, TASKS, verdicts, sources=sources).id


@pytest.mark.parametrize("command", ["score", "compare", "show"])
def test_it_is_said_of_a_run(tmp_path: Path, run: str, command: str) -> None:
    told = call(tmp_path, command, run).stdout
    assert told.count(LINES) == told.count(TASKS_LEFT) == 1
    assert "unanswered" not in told


def test_it_is_said_in_reports(tmp_path: Path, run: str) -> None:
    told = call(tmp_path, "report", run, "--markdown").stdout
    assert LINES in told and TASKS_LEFT in told
    for language, first, second in (
        ("en", LINES, TASKS_LEFT),
        ("zh", "未读取：finch 的 3 行", "54 个任务中有工具未作答的 14 个"),
    ):
        place = tmp_path / language
        call(tmp_path, "report", run, "-o", str(place), "--language", language)
        page = (place / "index.html").read_text("utf-8")
        assert first.split(" (`")[0] in page and second.split(" (`")[0] in page


def test_a_run_keeps_it(tmp_path: Path) -> None:
    suites = by_name(a_suite("s", "x", "y", "z"))
    a = write(tmp_path / "a.jsonl", *({"task": name, "answer": "1"} for name in "xy"))
    a.write_text(a.read_text() + "{\n")
    b = write(tmp_path / "b.jsonl", {"task": "x", "answer": "2"})
    sources = read_sources([f"a={a}", f"b={b}"], suites, None, skip_bad=True, limit=None)
    assert Selection((), (), answered_only=True).apply(sources, suites) == (("s", "x"),)
    of_a, of_b, left = sources.described
    assert (of_a["bad_lines"], of_a["tools"]) == (1, ["a"])
    assert "bad_lines" not in of_b
    assert left == {"unanswered": 2, "of": 3}


def test_a_run_of_everything_says_nothing(tmp_path: Path, store: Store) -> None:
    sources = [{"path": "a.jsonl", "format": "native"}]
    make_run(store, [make_task("0")], answers("finch", range(1))[:1], sources=sources)
    assert "Left out" not in call(tmp_path, "score", "latest").stdout
