"""How much of a comparison stands on tasks whose tests are weak, and what remains without them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from polyassay.measures.comparing.sentences import evidence, headline
from polyassay.measures.comparing.two import Comparison, Side, compare, pairs_of
from polyassay.measures.units import TaskKey, UnitScore
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class WeakTasks:
    """Units that a comparison counts although their tests are weak."""

    units: int
    of: int
    without: Comparison | None  # the same comparison without them; None: nothing remains

    def sentence(self, name: str) -> str:
        are = "has" if self.units == 1 else "have"
        told = f"{self.units} of {counted(self.of, 'task')} {are} weak tests"
        if self.without is None:
            return f"{told}, and without them nothing remains."
        answer = headline(self.without, name, opens=False)
        return f"{told}; without them: {answer}, {evidence(self.without, name)}."


def weak_tasks(a: Side, b: Side, weak: Collection[TaskKey], name: str) -> WeakTasks | None:
    """Nothing where no compared task is weak; `name` is the measure that decides."""
    pairs = pairs_of(a[1], b[1])
    doubtful = sum(first.unit.task_key in weak for first, _ in pairs)
    if not doubtful:
        return None
    rest = [(tool, without(units, weak)) for tool, units in (a, b)]
    remains = len(pairs) > doubtful
    return WeakTasks(
        doubtful, len(pairs), compare(rest[0], rest[1], besides=[name]) if remains else None
    )


def without(units: Sequence[UnitScore], tasks: Collection[TaskKey]) -> list[UnitScore]:
    return [unit for unit in units if unit.unit.task_key not in tasks]
