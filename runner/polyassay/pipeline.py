"""The one place where the steps are joined: candidates → slots → verdicts → store."""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain

from polyassay.dispatch import Dispatcher, Slots
from polyassay.dispatch.local import LocalSlots
from polyassay.dispatch.scheduling import Pair, Schedule, TaskGroup, TaskKey, split
from polyassay.harness.table import Harnesses
from polyassay.model import Style, Suite, Task, Verdict
from polyassay.slot import Slot
from polyassay.store import Failures, Store

GATHER_SECONDS = 0.1  # verdicts that come within this are handed on, and stored, at once


def execute(
    store: Store,
    run: str,
    suites: Mapping[str, Suite],
    harnesses: Harnesses,
    on_verdicts: Callable[[Sequence[Verdict]], None],
    dispatch: Dispatcher = LocalSlots,
    name_failures: Callable[[Sequence[Verdict]], Failures] | None = None,
) -> None:
    """Judges what has no verdict yet; a verdict is durable before it is counted."""
    pending = store.answered(run)
    pending.subtract(store.judged(run))

    def candidates(group: TaskGroup) -> Iterator[Pair]:
        chosen = (group.suite, group.tasks)
        for candidate in store.candidates(run, *chosen, judged=False, by_tool=group.by_tool):
            yield group.tasks[candidate.key.task], candidate

    tasks = [task for suite in suites.values() for task in suite.tasks]
    lists = judge(tasks, pending, candidates, harnesses, dispatch)
    with closing(harnesses), closing(lists):
        for verdicts in lists:
            store.save_verdicts(run, verdicts, name_failures and name_failures(verdicts))
            on_verdicts(verdicts)


def judge(
    tasks: Iterable[Task],
    pending: Counter[TaskKey],
    candidates: Callable[[TaskGroup], Iterable[Pair]],
    harnesses: Harnesses,
    dispatch: Dispatcher = LocalSlots,
) -> Generator[list[Verdict], None, None]:
    """Judges candidates side by side; verdicts come in lists, in any order.

    The harnesses of this process say what belongs together; each slot makes its own.
    """
    groups = list(_groups(tasks, pending, harnesses))
    schedule = Schedule(groups, candidates, harnesses.settings.jobs)
    return gather(dispatch(schedule, Slot, harnesses.settings))


def gather(slots: Slots) -> Generator[list[Verdict], None, None]:
    """Yields verdicts in lists as they come, in any order; raises what a slot raised."""
    with closing(slots):
        slots.start()
        gathered: list[Verdict] = []
        hand_on_at = 0.0
        while slots.error is None and slots.under_way:
            came = slots.receive(max(hand_on_at - time.monotonic(), 0.0) if gathered else None)
            if came and not gathered:
                hand_on_at = time.monotonic() + GATHER_SECONDS
            gathered += came
            if gathered and time.monotonic() >= hand_on_at:
                yield gathered
                gathered = []
        if gathered:  # they are done, and must not be lost with a slot
            yield gathered
        if slots.error is not None:
            raise slots.error
        slots.finish()


def judge_all(pairs: Sequence[Pair], harnesses: Harnesses) -> Generator[list[Verdict], None, None]:
    """Judges candidates that are all at hand, without a store."""
    by_task: dict[TaskKey, list[Pair]] = {}
    for task, candidate in pairs:
        by_task.setdefault((task.suite, task.id), []).append((task, candidate))
    tasks = [some[0][0] for some in by_task.values()]
    pending = Counter({key: len(some) for key, some in by_task.items()})

    def candidates(group: TaskGroup) -> Iterator[Pair]:
        found = chain.from_iterable(by_task[group.suite, task] for task in group.tasks)
        yield from sorted(found, key=_by_tool) if group.by_tool else found

    return judge(tasks, pending, candidates, harnesses)


def _groups(
    tasks: Iterable[Task], pending: Counter[TaskKey], harnesses: Harnesses
) -> Iterator[TaskGroup]:
    """The tasks that wait for verdicts, as their harnesses group them."""
    alike: dict[tuple[str, int], list[Task]] = {}
    for task in tasks:
        if task.style is not Style.RUBRIC and pending[task.suite, task.id] > 0:
            alike.setdefault((task.suite, id(harnesses.of(task))), []).append(task)
    for (suite, _), some in alike.items():
        harness = harnesses.of(some[0])
        sizes = (pending, harness.batch_size, harness.by_tool)
        yield from split(suite, harness.groups(some), *sizes)


def _by_tool(pair: Pair) -> tuple[str, str, int]:
    key = pair[1].key
    return key.tool, key.prompt_language, key.sample
