"""How the work of a run is ordered and shared out; all of it is decided here.

1. Order. A harness puts its tasks into groups (`Harness.groups`), in the order in which its warm
   processes serve them best. The candidates of a group are judged in the order they were read,
   or sample by sample of one tool after the other (`Harness.by_tool`).
2. Queues. That order is cut into one queue of groups for each slot, with about as many pending
   candidates in each. Neighbouring groups need the same libraries, so they stay in one queue.
3. Batches. What a slot is handed is a `Batch`: candidates of one group, as many as the harness
   takes at once (`Harness.batch_size`), but not so many that another slot would get none.
4. Sharing. A slot takes batches from its own queue first. When that is empty, it takes the last
   group of the longest other queue, and when no group is left, batches of a group that another
   slot has begun.

Candidates are read from the store only when their batch is taken, so a run may be of any length.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from polyassay.model import Candidate, Task

BATCH_CHARACTERS = 1 << 20  # of answers; helper processes get a whole batch in one request
GROUP_TASKS = 1000  # the store is asked for the candidates of so many tasks at once

Pair = tuple[Task, Candidate]
TaskKey = tuple[str, str]  # suite, task


@dataclass(frozen=True, slots=True)
class Batch:
    """Candidates that one slot judges at once; all belong to one harness."""

    pairs: tuple[Pair, ...]
    losses: tuple[str, ...] = ()  # how the slots ended that were lost while they judged it


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """Tasks of one suite whose candidates share warm processes."""

    suite: str
    tasks: Mapping[str, Task]
    pending: int  # candidates that wait for a verdict
    batch_size: int
    by_tool: bool = False  # in which order they come


def split(
    suite: str,
    groups: Iterable[Sequence[Task]],
    pending: Counter[TaskKey],
    batch_size: int,
    by_tool: bool = False,
) -> Iterator[TaskGroup]:
    """A harness' groups of tasks, none of them larger than the store should be asked for."""
    for tasks in groups:
        for start in range(0, len(tasks), GROUP_TASKS):
            part = {task.id: task for task in tasks[start : start + GROUP_TASKS]}
            count = sum(pending[suite, task] for task in part)
            yield TaskGroup(suite, part, count, batch_size, by_tool)


class Schedule:
    """Hands out batches; used by one thread."""

    def __init__(
        self,
        groups: Sequence[TaskGroup],
        candidates: Callable[[TaskGroup], Iterable[Pair]],
        slots: int,
    ) -> None:
        self.slots = slots
        self._candidates = candidates
        self._queues = [deque(queue) for queue in _queues(groups, slots)]
        self._begun: dict[int, Iterator[Batch]] = {}  # by the slot that began the group

    @property
    def empty(self) -> bool:
        """Whether everything has been handed out, as far as is known without reading on."""
        return not (self._begun or any(self._queues))

    def take(self, slot: int) -> Batch | None:
        """The next batch for a slot; None when everything has been handed out."""
        while True:
            owner = self._owner(slot)
            if owner is None:
                return None
            batch = next(self._begun[owner], None)
            if batch is not None:
                return batch
            del self._begun[owner]

    def _owner(self, slot: int) -> int | None:
        """The slot whose begun group is to be continued, after beginning one where possible."""
        if slot in self._begun:
            return slot
        group = self._next_group(slot)
        if group is not None:
            self._begun[slot] = self._batches(group)
            return slot
        return next(iter(self._begun), None)

    def _next_group(self, slot: int) -> TaskGroup | None:
        if self._queues[slot]:
            return self._queues[slot].popleft()
        longest = max(self._queues, key=len)
        return longest.pop() if longest else None

    def _batches(self, group: TaskGroup) -> Iterator[Batch]:
        share = -(-group.pending // self.slots)
        size = max(1, min(group.batch_size, share))
        pairs: list[Pair] = []
        characters = 0
        for pair in self._candidates(group):
            length = len(pair[1].answer)
            if pairs and (len(pairs) == size or characters + length > BATCH_CHARACTERS):
                yield Batch(tuple(pairs))
                pairs, characters = [], 0
            pairs.append(pair)
            characters += length
        if pairs:
            yield Batch(tuple(pairs))


def _queues(groups: Sequence[TaskGroup], slots: int) -> Iterator[Sequence[TaskGroup]]:
    """Cuts the groups into one queue a slot; some may be empty."""
    before = list(accumulate((group.pending for group in groups), initial=0))
    cuts = [_nearest(before, before[-1] * number / slots) for number in range(slots)]
    for start, end in pairwise([*cuts, len(groups)]):
        yield groups[start:end]


def _nearest(sums: Sequence[int], target: float) -> int:
    return min(range(len(sums)), key=lambda place: abs(sums[place] - target))
