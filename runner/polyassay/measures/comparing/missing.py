"""Whether answers that are missing, and count as failed, could turn what a comparison says."""

from polyassay.measures.comparing.two import Answer, Comparison, Side, pairs_of
from polyassay.texts import say
from polyassay.wording import counted


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
