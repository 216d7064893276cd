"""`run --task`, `--tool` and `--answered-only`: which of the answers are run, and what counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.candidates.sources import Sources
from polyassay.errors import PolyAssayError
from polyassay.model import Suite
from polyassay.wording import counted, did_you_mean

TaskKey = tuple[str, str]  # suite and task


@dataclass(frozen=True, slots=True)
class Selection:
    tasks: Sequence[str] = ()  # empty: all
    tools: Sequence[str] = ()
    answered_only: bool = False  # tasks without an answer of some tool do not count

    @property
    def of_tasks(self) -> bool:
        return bool(self.tasks) or self.answered_only

    def apply(self, sources: Sources, suites: Mapping[str, Suite]) -> tuple[TaskKey, ...]:
        """Leaves the other answers out; the tasks that count, none where all do."""
        before = len(sources.candidates)
        self._keep_tools(sources)
        if not self.of_tasks:
            self._tell(sources, before)
            return ()
        wanted = named = self._every(suites)
        if self.answered_only:
            wanted = _answered_by_all(sources, named)
        if len(wanted) < len(named):
            sources.described.append({"unanswered": len(named) - len(wanted), "of": len(named)})
        kept = set(wanted)
        sources.candidates[:] = [c for c in sources.candidates if (c.key.suite, c.key.task) in kept]
        if not sources.candidates:
            raise PolyAssayError(
                "No answer is left to be run.",
                hint="No task that was named is answered by every tool."
                if self.answered_only
                else "None of the tools has an answer to the tasks that were named.",
            )
        self._tell(sources, before)
        sources.remarks.append(f"only {counted(len(wanted), 'task')} of the suites, as asked")
        return tuple(wanted)

    def _keep_tools(self, sources: Sources) -> None:
        known = sorted({candidate.key.tool for candidate in sources.candidates})
        for tool in self.tools:
            if tool not in known:
                raise PolyAssayError(
                    f'None of the answers is by "{tool}".',
                    hint=did_you_mean(tool, known) + f"There are answers by {', '.join(known)}.",
                )
        if self.tools:
            sources.candidates[:] = [c for c in sources.candidates if c.key.tool in self.tools]

    def named(self, suites: Mapping[str, Suite]) -> tuple[TaskKey, ...]:
        """The tasks that were named; none where all count."""
        return tuple(self._every(suites)) if self.tasks else ()

    def _every(self, suites: Mapping[str, Suite]) -> list[TaskKey]:
        every = [(suite.name, task.id) for suite in suites.values() for task in suite.tasks]
        known = {task for _, task in every}
        for name in self.tasks:
            if name not in known:
                listed = [part.strip() for part in name.split(",")]
                raise PolyAssayError(
                    f'There is no task "{name}" in {", ".join(suites)}.',
                    hint=f"Repeat the option: {' '.join(f'--task {part}' for part in listed)}."
                    if known.issuperset(listed)
                    else did_you_mean(name, known) + "`polyassay suites tasks SUITE` lists tasks.",
                )
        return [key for key in every if not self.tasks or key[1] in self.tasks]

    def _tell(self, sources: Sources, before: int) -> None:
        if out := before - len(sources.candidates):
            sources.remarks.append(f"{counted(out, 'answer')} left out, as was asked for")


def _answered_by_all(sources: Sources, tasks: Iterable[TaskKey]) -> list[TaskKey]:
    """Where one tool has no answer the comparison would be uneven, so that none is asked."""
    tools = {candidate.key.tool for candidate in sources.candidates}
    there = {(c.key.suite, c.key.task, c.key.tool) for c in sources.candidates}
    return [key for key in tasks if all((*key, tool) in there for tool in tools)]
