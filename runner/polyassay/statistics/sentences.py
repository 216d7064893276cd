"""What a comparison says, in words that need no statistics."""

from polyassay.statistics.compare import MCNEMAR, RATIO, Answer, Comparison, Metric
from polyassay.statistics.significance import FEWEST
from polyassay.wording import counted


def summary(comparison: Comparison, name: str) -> list[str]:
    """The answer, and where there is none, what it would take."""
    answer = f"{headline(comparison, name)}: {evidence(comparison, name)}."
    return [answer, *outlook(comparison, name)]


def headline(comparison: Comparison, name: str) -> str:
    match comparison.metrics[name].answer:
        case Answer.BETTER:
            return f"{comparison.b} is better"
        case Answer.WORSE:
            return f"{comparison.a} is better"
        case _:
            return "Cannot tell which is better"


def evidence(comparison: Comparison, name: str) -> str:
    """By how much the one that is ahead is ahead."""
    metric = comparison.metrics[name]
    ahead, behind = comparison.b, comparison.a
    difference, low, high = metric.difference, metric.interval.low, metric.interval.high
    if difference < 0:
        ahead, behind = behind, ahead
        difference, low, high = -difference, -high, -low
    surely = f"(95 %: {points(low)} to {points(high)})"
    if difference == 0:
        return f"there is no difference {surely}"
    more = _more(name, points(difference))
    if metric.answer is Answer.CANNOT_TELL:
        return f"{ahead} {more} {surely}"
    return f"it {more} than {behind} {surely}"


def outlook(comparison: Comparison, name: str) -> list[str]:
    """What it would take to tell, where nothing can be told."""
    metric = comparison.metrics[name]
    if metric.answer is not Answer.CANNOT_TELL:
        return []
    needed, tasks = metric.reach.tasks_needed, counted(metric.tasks, "task")
    if metric.tasks < FEWEST:
        many = f"about {rounded(max(needed, FEWEST)):,}" if needed else f"at least {FEWEST}"
        few = f"{tasks} {'is' if metric.tasks == 1 else 'are'}"
        return [f"{few} too few to show any difference; {many} would be needed."]
    smallest = _smallest(metric)
    if needed and needed > metric.tasks:
        shown = f"{tasks} show differences from {_about(smallest)}"
        return [f"{shown}; about {rounded(needed):,} tasks would be needed."]
    if abs(metric.difference) >= smallest:
        return [f"With {tasks} that is just not certain; a few more may tell."]
    return [f"With {tasks}, only differences of {_about(smallest)} or more can be shown."]


def _about(difference: float) -> str:
    """Two digits are all that an estimate deserves, and zero says nothing."""
    return f"about {100 * difference:.{0 if difference >= 0.02 else 1}f} points"


def _smallest(metric: Metric) -> float:
    """The smallest difference that can be shown; fewer tasks than FEWEST never decide."""
    floor = FEWEST / metric.tasks if metric.test == MCNEMAR else 0.0
    return min(1.0, max(metric.reach.detectable, floor))


def _more(name: str, much: str) -> str:
    if name == RATIO:
        return f"passes {much} points more of a task's tests"
    k = name.removeprefix("pass@")
    return f"solves {much} points more" + ("" if k == "1" else f" in {k} tries")


def points(value: float) -> str:
    """A fraction as percentage points, with a real minus sign and without -0.0."""
    text = f"{100 * value:.1f}"
    return text.replace("-", "−") if float(text) else "0.0"


def rounded(count: int) -> int:
    """Two digits are all that an estimate deserves."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
