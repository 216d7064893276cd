"""The means of every tool, with what they rest on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyassay.rubric.figures.left_out import Reach, reach, warnings
from polyassay.rubric.means import Mean, answer_scores, mean_score, of_tool, point_counts
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score
from polyassay.store.graders import LeftOutRow


@dataclass(frozen=True, slots=True)
class Summary:
    rubric: Rubric
    means: Mapping[str, Mapping[str, Mean]]  # tool → dimension → mean
    counts: Mapping[str, Mapping[str, Mapping[str, int]]]  # tool → dimension → point → how often
    left_out: tuple[LeftOutRow, ...] = ()
    reaches: Mapping[tuple[str, str], Reach] | None = None  # (tool, dimension) → where it could be

    @property
    def warnings(self) -> list[str]:
        """What was left out, and what means alone do not tell."""
        return [*self.of_left_out, *self._uneven()]

    @property
    def of_left_out(self) -> list[str]:
        """What was left out, and how far it could move each mean."""
        found = {
            (tool, dimension): (self.means[tool][dimension].mean, of)
            for (tool, dimension), of in (self.reaches or {}).items()
        }
        return warnings(self.left_out, found)

    def _uneven(self) -> list[str]:
        """Means over different tasks do not tell which tool is better."""
        numbers = {mean.n for of in self.means.values() for mean in of.values()}
        if len(self.means) < 2 or len(numbers) < 2:
            return []
        return ["Means are over different numbers of answers: `grade compare` pairs by task."]


def summarise(
    rubric: Rubric, scores: Sequence[Score], left_out: Sequence[LeftOutRow] = ()
) -> Summary:
    answers = answer_scores(scores)
    tools = sorted({answer.key.tool for answer in answers})
    given = {(t, d.id): of_tool(answers, t, d.id) for t in tools for d in rubric.dimensions}
    reaches = {
        (tool, d.id): found
        for tool in tools
        for d in rubric.dimensions
        if given[tool, d.id] and (found := reach(left_out, given[tool, d.id], tool, d))
    }
    return Summary(
        rubric,
        {
            tool: {
                d.id: mean_score(given[tool, d.id], d)
                for d in rubric.dimensions
                if given[tool, d.id]
            }
            for tool in tools
        },
        {
            tool: {d.id: point_counts(given[tool, d.id], d) for d in rubric.dimensions}
            for tool in tools
        },
        tuple(left_out),
        reaches,
    )
