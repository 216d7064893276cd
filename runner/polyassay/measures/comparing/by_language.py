"""What a comparison says of each programming language alone, where there is more than one.

A title that says which tool is better says it of all tasks together; a team that writes Java wants
to know of Java. The groups are tested together (Bonferroni), as `compare --by language` tests them.
"""

from dataclasses import dataclass, replace

from polyassay.measures.comparing.sentences import evidence, headline
from polyassay.measures.comparing.two import Answer, Comparison, Side, compare, pairs_of
from polyassay.measures.units import UnitScore, distinct_tasks
from polyassay.texts import say
from polyassay.wording import asked_told


@dataclass(frozen=True, slots=True)
class OfLanguage:
    language: str
    comparison: Comparison  # whose metrics are of this language's tasks

    def sentence(self, name: str) -> str:
        return say(
            "{language}, {tasks}: {answer}; {evidence}.",
            language=self.language.capitalize(),
            tasks=asked_told(self.comparison.tasks, self.comparison.distinct),
            answer=headline(self.comparison, name, opens=False),
            evidence=evidence(self.comparison, name),
        )

    def better(self, name: str) -> str:
        """The tool that is better in this language; empty where that cannot be told."""
        of = self.comparison
        winners = {Answer.BETTER: of.b, Answer.WORSE: of.a}
        return winners.get(of.metrics[name].answer, "")


def by_language(a: Side, b: Side, name: str) -> list[OfLanguage]:
    """`name` is the measure that decides; nothing where all tasks are of one language."""
    asked: dict[str, list[UnitScore]] = {}
    for first, _ in pairs_of(a[1], b[1]):
        asked.setdefault(first.task.language.value, []).append(first)
    if len(asked) < 2:
        return []
    found = compare(a, b, by=["language"], besides=[name])
    return [
        OfLanguage(
            language,
            replace(found, metrics=metrics, tasks=len(units), distinct=distinct_tasks(units)),
        )
        for (language,), metrics in found.groups.items()
        for units in [asked[language]]
        if name in metrics
    ]
