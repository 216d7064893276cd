"""tools/repeat-verdicts: which runs it makes, and that it sees a verdict that differs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict
from polyassay.store import Store
from scripts import script

TOOL = "repeat-verdicts"


def test_numbers_of_jobs_go_round_for_each_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [TOOL, "--times", "4", "--users", "root,nobody"])
    tool = script(TOOL)
    found = list(tool._repetitions(tool._arguments()))
    assert [jobs for user, jobs in found if user == "root"] == ["1", "2", "4", "1"]
    assert len(found) == 8


def test_the_first_repetition_has_no_busy_loops_beside_it() -> None:
    tool = script(TOOL)
    assert [tool._loops("6,30", number) for number in range(5)] == [0, 6, 30, 6, 30]
    assert [tool._loops("0", number) for number in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(("last", "code"), [(2, 0), (1, 1)])
def test_any_other_verdict_is_an_error(
    last: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = script(TOOL)
    passed = iter([2, 2, last])

    def run(_: str, arguments: list[str], folder: Path, user: str) -> None:
        store = Store.at(folder / ".polyassay")
        make_run(store, [make_task("a")], [make_verdict("a", next(passed))])
        store.close()

    monkeypatch.setattr(tool, "_run", run)
    monkeypatch.setattr("sys.argv", [TOOL, "--times", "3"])
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda argv, **_: _same_verdicts(argv),
    )
    assert tool.main() == code
    assert len(capsys.readouterr().out.splitlines()) >= 3


def _same_verdicts(argv: list[object]) -> subprocess.CompletedProcess[str]:
    """As the script would say it, in this process: a unit test starts none."""
    import contextlib
    import io

    out = io.StringIO()
    sys.argv = [str(part) for part in argv[1:]]
    with contextlib.redirect_stdout(out):
        code = script("same-verdicts").main()
    return subprocess.CompletedProcess([os.fspath(str(argv[1]))], code, out.getvalue(), "")
