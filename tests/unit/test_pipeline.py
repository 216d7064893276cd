"""In which order a run's candidates are handed out, from the store to a slot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from made import make_task
from polyassay.dispatch import SlotMaker
from polyassay.dispatch.scheduling import Schedule
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import Candidate, CandidateKey, Judging, Outcome, Suite, Task, Verdict
from polyassay.pipeline import execute
from polyassay.sandbox.none import NoSandbox
from polyassay.store import Store

SUITE = Suite("s", "1.0", "c" * 64, tuple(make_task(name) for name in ("t1", "t2")))
# As a file has them that lists one task after the other.
KEYS = [
    CandidateKey("s", task, tool, "en", sample)
    for task in ("t1", "t2")
    for tool in ("heron", "crow")
    for sample in (1, 0)
]


class OneGroup:
    batch_size = 1

    def __init__(self, by_tool: bool) -> None:
        self.by_tool = by_tool

    def groups(self, tasks: Sequence[Task]) -> list[Sequence[Task]]:
        return [tasks]


class OneHarness(Harnesses):
    def __init__(self, by_tool: bool) -> None:
        super().__init__(RunSettings(NoSandbox(), Path("home")))
        self._harness = OneGroup(by_tool)

    def of(self, task: Task) -> Any:
        return self._harness


class HereAtOnce:
    """The only slot: each candidate passes as it is handed out."""

    error: BaseException | None = None

    def __init__(self, schedule: Schedule, _: SlotMaker, __: RunSettings) -> None:
        self._schedule = schedule

    @property
    def under_way(self) -> bool:
        return not self._schedule.empty

    def start(self) -> None:
        """There is nothing to start."""

    def receive(self, _: float | None) -> list[Verdict]:
        batch = self._schedule.take(0)
        pairs = batch.pairs if batch else ()
        return [Verdict(c.key, Outcome.PASSED, 1, 1, (), Judging.APART) for _, c in pairs]

    def finish(self) -> None:
        """There is nothing to end."""

    close = finish


@pytest.mark.parametrize(
    ("by_tool", "order"),
    [
        (False, KEYS),
        (True, sorted(KEYS, key=lambda key: (key.tool, key.sample, key.task))),
    ],
    ids=["as read", "by tool"],
)
def test_candidates_come_in_the_order_that_their_harness_wants(
    store: Store, by_tool: bool, order: list[CandidateKey]
) -> None:
    run = store.start_run([SUITE], [Candidate(key, "x") for key in KEYS], {"suites": {}}).id
    came: list[CandidateKey] = []

    def note(verdicts: Sequence[Verdict]) -> None:
        came.extend(verdict.candidate for verdict in verdicts)

    execute(store, run, {"s": SUITE}, OneHarness(by_tool), note, HereAtOnce)
    assert came == order
    assert store.judged_keys(run) == set(KEYS)
