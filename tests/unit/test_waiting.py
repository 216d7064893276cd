"""What takes longer than two seconds says so; estimates come from the work that is left."""

import io
import time
from functools import partial

import pytest
from rich.console import Console

from made import make_verdict
from polyassay.model import Outcome, Verdict
from polyassay.report.terminal import waiting as module
from polyassay.report.terminal.progress import Bar, ProgressLines, Tally, run_progress
from polyassay.report.terminal.remaining import Remaining, told
from polyassay.report.terminal.waiting import counted_items, waiting
from polyassay.report.trust.proof import Caught, Proof


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def verdicts(suite: str, count: int, seconds: float) -> list[Verdict]:
    return [make_verdict(str(n), 2, suite=suite, seconds=seconds) for n in range(count)]


def test_a_slow_start_does_not_count() -> None:
    clock = Clock()
    left = Remaining({"s": 100}, clock)
    clock.now = 50  # processes were started
    left.add(verdicts("s", 10, 0.1))
    assert left.seconds() is None  # one moment tells no pace
    clock.now = 55
    left.add(verdicts("s", 40, 0.1))
    assert left.seconds() == pytest.approx(50 / 8)
    assert left.rate() == 8


def test_what_is_left_counts_by_what_it_costs() -> None:
    clock = Clock()
    left = Remaining({"quick": 100, "slow": 10}, clock)
    left.add([*verdicts("quick", 10, 0.1), *verdicts("slow", 5, 10.0)])
    clock.now = 10
    left.add(verdicts("quick", 50, 0.1))  # 5 s of work in 10 s
    assert left.seconds() == pytest.approx((40 * 0.1 + 5 * 10.0) / 0.5)


def test_a_suite_that_was_not_begun_counts_as_the_others_do() -> None:
    clock = Clock()
    left = Remaining({"s": 20, "later": 10}, clock)
    left.add(verdicts("s", 10, 2.0))
    clock.now = 5
    left.add(verdicts("s", 10, 2.0))
    assert left.seconds() == pytest.approx(5.0)


def test_the_pace_is_that_of_the_last_minute() -> None:
    clock = Clock()
    left = Remaining({"s": 10_000}, clock)
    for minute in range(3):
        clock.now = 60.0 * minute
        left.add(verdicts("s", 10, 1.0))
    clock.now = 130
    left.add(verdicts("s", 1000, 1.0))
    assert left.rate() > 14  # and not 1,030 in 130 s


def test_times_are_told_as_coarsely_as_they_are_known() -> None:
    assert [told(s) for s in (None, 0.4, 7.2, 94, 4000)] == [
        "",
        "1 s left",
        "7 s left",
        "2 min left",
        "1 h 7 min left",
    ]


def test_a_run_shows_a_bar_or_lines() -> None:
    out = io.StringIO()
    with run_progress(Console(file=out, width=120), 20, {}) as lines:
        assert isinstance(lines, ProgressLines)
        lines.add(verdicts("s", 20, 0.1))
    assert "20/20" in out.getvalue()
    assert "20 passed" in out.getvalue()
    out = io.StringIO()
    terminal = Console(file=out, force_terminal=True, width=120)
    with run_progress(terminal, 20, {}, {"s": 20}) as bar:
        assert isinstance(bar, Bar)
        bar.add(verdicts("s", 5, 0.1))
    assert "5 passed" in out.getvalue()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_waiting_is_said_after_a_while(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    monkeypatch.setattr(module, "LINE_SECONDS", 0.05)
    monkeypatch.setattr(module, "_REDRAWN", 0.02)
    out = io.StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=120)
    with waiting(console, "Writing tasks", 1000) as advance:
        for _ in counted_items(range(10), advance):
            time.sleep(0.03)
    assert "Writing tasks: " in out.getvalue()
    assert "of 1,000" in out.getvalue()
    assert "left" in out.getvalue()
    with waiting(console, "Reading"):
        time.sleep(0.2)
    assert "Reading, 0 s" in out.getvalue()


def test_what_is_quick_says_nothing() -> None:
    out = io.StringIO()
    with waiting(Console(file=out), "Reading") as advance:
        assert list(counted_items("ab", advance)) == ["a", "b"]
    assert out.getvalue() == ""
    with pytest.raises(ValueError, match="broken"), waiting(Console(file=out), "Reading"):
        raise ValueError("broken")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_resumed_run_counts_what_was_judged_before(is_terminal: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=120)
    before = {Outcome.PASSED: 11, Outcome.FAILED: 4}
    with run_progress(console, 20, before, {"s": 5}) as progress:
        progress.add(verdicts("s", 5, 0.1))
    assert "20/20" in out.getvalue()
    assert "16 passed  4 failed" in out.getvalue()


def test_the_last_line_is_told_once() -> None:
    times = iter(range(0, 1000, 20))
    out = io.StringIO()
    with ProgressLines(
        Console(file=out), 1, Tally(), Remaining({"": 1}), lambda: next(times)
    ) as lines:
        lines.add([make_verdict("a", 1, suite="")])
    assert out.getvalue().count("1/1") == 1


def test_the_last_line_tells_what_the_whole_run_took() -> None:
    now = [0.0]
    out = io.StringIO()
    console = Console(file=out, width=120)
    clock = partial(now.__getitem__, 0)
    left = Remaining({"s": 6}, clock)
    with ProgressLines(console, 7, Tally({Outcome.PASSED: 1}), left, clock) as lines:
        lines.add(verdicts("s", 1, 0.1))
        now[0] = 50.0
        lines.add(verdicts("s", 2, 0.1))
        now[0] = 100.0
        lines.add(verdicts("s", 3, 0.1))
    middle, last = out.getvalue().splitlines()
    assert middle.startswith("4/7  2.4/min")
    assert last == "7/7  6 in 100 s   7 passed"


def test_a_failure_that_proves_the_tests_is_no_bad_news() -> None:
    proof, caught = Proof(), Caught()
    proof.add([make_verdict("a", 2, tool="reference"), make_verdict("a", 0, tool="empty")])
    assert str(proof) == "1 of 1 reference passed  1 of 1 empty answer failed, as they should"
    proof.add([make_verdict("b", 0, tool="reference"), make_verdict("b", 2, tool="empty")])
    assert str(proof) == "1 of 2 references passed  1 of 2 empty answers failed, as they should"
    caught.add([make_verdict("a", 0), make_verdict("a", 1), make_verdict("a", 2)])
    assert str(caught) == "2 of 3 mutants caught"
