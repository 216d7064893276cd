"""Whether answers that are missing, and count as failed, could turn what a comparison says."""

from dataclasses import dataclass

from polyassay.measures.comparing.two import Answer, Comparison, Side, pairs_of
from polyassay.texts import say
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class Remaining:
    """Tasks of the suites that were not put to both tools, or that one of them did not answer."""

    tasks: int
    of: int

    @property
    def many(self) -> bool:
        """Whether their answers are the first thing to get."""
        return 10 * self.tasks > self.of

    @property
    def most(self) -> bool:
        return 2 * self.tasks > self.of


def remaining(a: Side, b: Side, in_suites: int) -> Remaining | None:
    """None where both have answered every task of the suites."""
    answered = [{unit.unit.task_key for unit in units if unit.samples} for _, units in (a, b)]
    open_ones = in_suites - len(answered[0] & answered[1])
    return Remaining(open_ones, in_suites) if open_ones > 0 else None


def missing_sentence(a: Side, b: Side, found: Comparison, name: str) -> str:
    """Empty where the answer stays, whatever a tool would have written."""
    metric = found.metrics[name]
    pairs = pairs_of(a[1], b[1])
    without = [sum(not pair[side].samples for pair in pairs) / len(pairs) for side in (0, 1)]
    if not (metric.measure.scale.is_share and metric.measure.more_is_better):
        return ""
    low, high = metric.interval.low, metric.interval.high
    # By how much a tool would have to gain, if all that it left out were solved.
    gains = {
        Answer.BETTER: [(0, low)],
        Answer.WORSE: [(1, -high)],
        Answer.CANNOT_TELL: [(0, high), (1, -low)],
    }
    if not any(without[side] and without[side] >= gain for side, gain in gains[metric.answer]):
        return ""
    both = sum(bool(x.samples and y.samples) for x, y in pairs)
    if not both:
        return say("Missing answers could turn this: get them before you choose.")
    return say(
        "Missing answers could turn this: get them before you choose, or compare on the {tasks} "
        "that both answered, with `--answered-only`.",
        tasks=counted(both, "task"),
    )
