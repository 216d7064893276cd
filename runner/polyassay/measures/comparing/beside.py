"""What is told beside the answer to which tool is better: each language, and what may be wrong."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from polyassay.measures.comparing.by_language import OfLanguage, by_language
from polyassay.measures.comparing.missing import Remaining, missing_sentence, remaining
from polyassay.measures.comparing.planning import Spread, known_spread
from polyassay.measures.comparing.sentences import levels_note
from polyassay.measures.comparing.two import Answer, Comparison, Side
from polyassay.measures.comparing.weak import WeakTasks, weak_tasks
from polyassay.measures.table import HEADLINE
from polyassay.measures.units import TaskKey


@dataclass(frozen=True, slots=True)
class Beside:
    languages: tuple[OfLanguage, ...] = ()
    weak: WeakTasks | None = None
    missing: str = ""  # where answers that are missing could turn the answer
    remaining: Remaining | None = None  # tasks of the suites that both have not answered
    spread: Spread | None = None  # what more samples would do; only where nothing can be told

    def language_lines(self, name: str) -> list[str]:
        told = [one.sentence(name) for one in self.languages]
        return [*told, *levels_note([one.comparison.metrics[name] for one in self.languages], told)]

    def lines(self, name: str) -> Iterator[str]:
        yield from self.language_lines(name)
        if self.weak:
            yield self.weak.sentence(name)
        if self.missing:
            yield self.missing


def beside(
    a: Side,
    b: Side,
    found: Comparison,
    weak: Collection[TaskKey],
    name: str,
    in_suites: int = 0,
) -> Beside:
    """`found` compares the two; `name` is the measure that decides; `in_suites`: all tasks."""
    undecided = found.metrics[name].answer is Answer.CANNOT_TELL
    return Beside(
        tuple(by_language(a, b, name)),
        weak_tasks(a, b, weak, name),
        missing_sentence(a, b, found, name),
        remaining(a, b, in_suites),
        known_spread(a, b) if undecided and name == HEADLINE.name else None,
    )
