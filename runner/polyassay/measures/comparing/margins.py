"""Decisions that a team makes: with a margin, and what stands in the way of going on."""

from dataclasses import dataclass
from enum import StrEnum

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.two import Answer, Comparison, Metric
from polyassay.statistics.bayes import chance_better

FEWEST_POINTS = 0.5  # of a margin: with less it takes a hundred thousand tasks, or it was a share


class MarginAnswer(StrEnum):
    """About the second tool: worse by more than the margin, or surely not."""

    NOT_WORSE = "not worse"
    WORSE = "worse"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Margin:
    metric: Metric
    size: float  # in the measure's own scale: 0.03 is 3 points

    @property
    def worst_case(self) -> float:
        """How far ahead the second tool is at the worse end of the interval."""
        ends = self.metric.interval
        return ends.low if self.metric.measure.more_is_better else -ends.high

    @property
    def best_case(self) -> float:
        ends = self.metric.interval
        return ends.high if self.metric.measure.more_is_better else -ends.low

    @property
    def answer(self) -> MarginAnswer:
        """One-sided at 2.5 %: the same interval answers this and which tool is better."""
        if self.worst_case > -self.size:
            return MarginAnswer.NOT_WORSE
        return MarginAnswer.WORSE if self.best_case < -self.size else MarginAnswer.CANNOT_TELL


def margin_of(metric: Metric, points: float | None) -> Margin | None:
    """A margin in points, or in the measure's unit where it is no share."""
    if points is None:
        return None
    if metric.measure.scale.is_share and points < FEWEST_POINTS:
        raise PolyAssayError(
            f"A margin of {points:g} points is less than any comparison can show.",
            hint=f"Margins are in points: {100 * points:g} where you mean a share of {points:g}.",
        )
    return Margin(metric, points / 100 if metric.measure.scale.is_share else points)


@dataclass(frozen=True, slots=True)
class Decision:
    """A comparison, the measure that decides, and the margin where there is one."""

    comparison: Comparison
    name: str
    margin: Margin | None = None
    bayes: bool = False  # whether to tell probabilities, too

    @property
    def metric(self) -> Metric:
        return self.comparison.metrics[self.name]

    @property
    def told(self) -> bool:
        """Whether there is an answer, about the margin where there is one."""
        answer = self.margin.answer if self.margin else self.metric.answer
        return answer not in (Answer.CANNOT_TELL, MarginAnswer.CANNOT_TELL)

    def chance_better(self, margin: float = 0.0) -> float:
        """The probability that the second tool is better, or at least not worse by the margin."""
        more = self.metric.measure.more_is_better
        above = float(chance_better(self.metric.found, -margin if more else margin))
        return above if more else 1 - above

    def against(self, fail_if_worse: bool, fail_if_cannot_tell: bool) -> list[str]:
        """Why a team should not go on with the second tool; empty where nothing is against it."""
        a, b = self.comparison.a, self.comparison.b
        reasons = []
        if self.margin and self.margin.answer is MarginAnswer.WORSE:
            reasons.append(f"{b} is worse than {a} by more than the margin")
        elif fail_if_worse and self.metric.answer is Answer.WORSE:
            reasons.append(f"{b} is worse than {a}")
        if fail_if_cannot_tell and not self.told:
            reasons.append(
                f"it cannot be told whether {b} is worse than {a} by more than the margin"
                if self.margin
                else "it cannot be told which is better"
            )
        return reasons
