"""A suite, harnesses and slots that judge nothing, in a module that slots' processes can import."""

import time
from collections.abc import Sequence
from typing import Any

from polyassay.dispatch.scheduling import Batch
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import (
    Judging,
    Language,
    Outcome,
    Program,
    Style,
    Suite,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)

TASKS = 100
SLEEP = 0.2  # seconds; a Java candidate by itself takes about so long
_RESULTS = tuple(TestResult(f"test_{i}", TestStatus.PASSED, seconds=0.001) for i in range(5))


def stub_suite() -> Suite:
    tests = tuple(Test(f"test_{i}", f"assert add({i}, 1) == {i + 1}") for i in range(5))
    tasks = tuple(
        Task(f"t{i}", "stub", Language.PYTHON, Style.FUNCTION, {"en": "Add."}, tests, entry="add")
        for i in range(TASKS)
    )
    return Suite("stub", "1.0", "0" * 64, tasks)


class StubHarness:
    by_tool = False

    def __init__(self, batch_size: int) -> None:
        self.batch_size = batch_size

    def groups(self, tasks: Sequence[Task]) -> list[list[Task]]:
        return [[task] for task in tasks]


class StubHarnesses(Harnesses):
    """The one harness of the process that schedules."""

    def __init__(self, settings: RunSettings, batch_size: int) -> None:
        super().__init__(settings)
        self._harness = StubHarness(batch_size)

    def of(self, task: Task) -> Any:
        return self._harness


class StubSlot:
    def __init__(self, _: RunSettings) -> None:
        """It needs nothing."""

    def judge(self, batch: Batch) -> list[Verdict]:
        return [
            Verdict(
                *(candidate.key, Outcome.PASSED, 5, 5, _RESULTS, Judging.APART),
                seconds=0.01,
                cpu_seconds=0.01,
                program=Program(candidate.answer, code=candidate.answer),
            )
            for _, candidate in batch.pairs
        ]

    def close(self) -> None:
        """It holds nothing."""


class SleepingSlot(StubSlot):
    def judge(self, batch: Batch) -> list[Verdict]:
        time.sleep(SLEEP * len(batch.pairs))
        return super().judge(batch)

    @staticmethod
    def rate() -> float:
        """Candidates a second of one slot that waits for nothing."""
        return 1 / SLEEP
