"""Messages between the command and its slots, pickled: both ends are ours and trust each other.

A slot keeps the tasks that it was sent, because many batches are of few tasks, and some tasks carry
megabytes of files.
"""

import pickle
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyassay.dispatch import SlotMaker
from polyassay.dispatch.scheduling import Batch, TaskKey
from polyassay.harness import RunSettings
from polyassay.model import Candidate, Task, Verdict

KEPT_TASKS = 256  # then a slot forgets all that it was sent


@dataclass(frozen=True, slots=True)
class Open:
    """The first message to a slot."""

    open_slot: SlotMaker
    settings: RunSettings


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """A batch; of its tasks those that the slot does not have."""

    forget: bool  # the tasks of earlier batches
    tasks: tuple[Task, ...]
    pairs: tuple[tuple[TaskKey, Candidate], ...]
    losses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The slot is open."""


@dataclass(frozen=True, slots=True)
class Done:
    """The verdicts of the batch that the slot has had longest."""

    verdicts: Sequence[Verdict]


@dataclass(frozen=True, slots=True)
class Failed:
    """The slot's own failure, which ends the run."""

    error: BaseException
    trace: str  # the slot's traceback, as text

    @classmethod
    def of(cls, error: BaseException) -> "Failed":
        trace = "".join(traceback.format_exception(error))
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        except Exception:  # what it carries cannot be sent
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return cls(error, trace)

    def again(self) -> BaseException:
        """The error, to be raised here."""
        self.error.add_note(f"In a slot:\n{self.trace}")
        return self.error


class Packer:
    """The sender's end of one slot's work."""

    def __init__(self) -> None:
        self._sent: set[TaskKey] = set()

    def pack(self, batch: Batch) -> PackedBatch:
        tasks = {(task.suite, task.id): task for task, _ in batch.pairs}
        forget = len(self._sent) + len(tasks) > KEPT_TASKS
        if forget:
            self._sent.clear()
        new = tuple(task for key, task in tasks.items() if key not in self._sent)
        self._sent.update(tasks)
        pairs = ((_key(task), _plain(candidate)) for task, candidate in batch.pairs)
        return PackedBatch(forget, new, tuple(pairs), batch.losses)


class Unpacker:
    """The slot's end."""

    def __init__(self) -> None:
        self._tasks: dict[TaskKey, Task] = {}

    def unpack(self, work: PackedBatch) -> Batch:
        if work.forget:
            self._tasks.clear()
        self._tasks.update({_key(task): task for task in work.tasks})
        pairs = ((self._tasks[key], candidate) for key, candidate in work.pairs)
        return Batch(tuple(pairs), work.losses)


def _key(task: Task) -> TaskKey:
    return task.suite, task.id


def _plain(candidate: Candidate) -> Candidate:
    """Without where it comes from, which may be longer than the answer and shapes no verdict."""
    return candidate if candidate.origin is None else replace(candidate, origin=None)
