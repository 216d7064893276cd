"""What a comparison says, in words that need no statistics."""

from polyassay.metrics.compare import RATIO, Answer, Comparison, Metric


def summary(comparison: Comparison, name: str) -> list[str]:
    """The answer, and where there is none, what it would take."""
    metric = comparison.metrics[name]
    if metric.answer is not Answer.CANNOT_TELL:
        return [_verdict(comparison, metric, name)]
    return [_verdict(comparison, metric, name), _reach(metric)]


def _verdict(comparison: Comparison, metric: Metric, name: str) -> str:
    better, worse = comparison.b, comparison.a
    difference, low, high = metric.difference, metric.interval.low, metric.interval.high
    if difference < 0:
        better, worse = worse, better
        difference, low, high = -difference, -high, -low
    more = _more(name, points(difference))
    surely = f"(95 %: {points(low)} to {points(high)})"
    if metric.answer is not Answer.CANNOT_TELL:
        return f"{better} is better: it {more} than {worse} {surely}."
    if difference == 0:
        return f"Cannot tell which is better: there is no difference {surely}."
    return f"Cannot tell which is better: {better} {more} {surely}."


def _more(name: str, much: str) -> str:
    if name == RATIO:
        return f"passes {much} points more of a task's tests"
    k = name.removeprefix("pass@")
    return f"solves {much} points more" + ("" if k == "1" else f" in {k} tries")


def _reach(metric: Metric) -> str:
    smallest = f"{100 * metric.reach.detectable:.0f}"
    shown = f"{metric.units:,} tasks show differences from about {smallest} points"
    needed = metric.reach.tasks_needed
    if needed is None or needed <= metric.units:
        return f"{shown}."
    return f"{shown}; about {rounded(needed):,} tasks would be needed."


def points(value: float) -> str:
    """A fraction as percentage points, with a real minus sign and without -0.0."""
    text = f"{100 * value:.1f}"
    return text.replace("-", "−") if float(text) else "0.0"


def rounded(count: int) -> int:
    """Two digits are all that an estimate deserves."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
