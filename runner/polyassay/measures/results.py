"""A run's verdicts as units to score: where the store meets the measures."""

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.measures.doubts import EMPTY, REFERENCE, Doubts, doubts
from polyassay.measures.kept_samples import kept_samples, settle_failures
from polyassay.measures.measuring.of_run import known_values
from polyassay.measures.origins import origin_values
from polyassay.measures.units import TaskKey, Unit, UnitScore, expected_units, gather, with_values
from polyassay.model import Task
from polyassay.store import Run, Store
from polyassay.store.figures import VerdictFigures
from polyassay.texts import say
from polyassay.trust.kept import kept
from polyassay.wording import counted, did_you_mean


@dataclass(frozen=True, slots=True)
class Results:
    run: Run
    tasks: Mapping[TaskKey, Task]
    scores: Mapping[str, Sequence[UnitScore]]  # tool → its units
    judged: int  # verdicts so far
    candidates: int
    remarks: tuple[str, ...] = ()  # what was left out of the run, because an option asked for it

    @property
    def in_suites(self) -> int:
        """Tasks of the run's suites, put to the tools or not."""
        suites = self.run.provenance["suites"].values()
        there = sum(int(facts.get("tasks", 0)) for facts in suites)
        return max(len(self.tasks), there)

    @property
    def complete(self) -> bool:
        return self.judged == self.candidates

    def tool(self, name: str) -> Sequence[UnitScore]:
        if name not in self.scores:
            known = ", ".join(self.scores)
            raise PolyAssayError(
                f'Run {self.run.id} has no tool "{name}".',
                hint=did_you_mean(name, self.scores) + f"It has {known}."
                if known
                else "It has no verdict yet.",
            )
        return self.scores[name]

    def unanswered(self, tools: Collection[str] = ()) -> set[Unit]:
        """What any of these tools, or else any that is not ours, has not answered."""
        rivals = tools or self.scores.keys() - {REFERENCE, EMPTY}
        return {u.unit for tool in rivals for u in self.scores.get(tool, ()) if not u.samples}

    def answered_only(self, missing: Collection[Unit]) -> "Results":
        """The same run as if what some tool has not answered had been put to none."""
        scores = {
            tool: [unit for unit in units if unit.unit not in missing]
            for tool, units in self.scores.items()
        }
        left = {unit.unit.task_key for units in scores.values() for unit in units}
        if not left:
            raise PolyAssayError(
                f"No task of run {self.run.id} is answered by all of its tools.",
                hint="Leave --answered-only out: then a task without an answer counts as failed.",
            )
        remark = say(
            "Left out: {tasks} that some tool has not answered (`--answered-only`).",
            tasks=counted(len(missing), "task"),
        )
        tasks = {key: task for key, task in self.tasks.items() if key in left}
        return replace(self, tasks=tasks, scores=scores, remarks=(*self.remarks, remark))

    def without(self, tasks: Collection[TaskKey]) -> "Results":
        """The same run as if some tasks had not been in it."""
        return replace(
            self,
            tasks={key: task for key, task in self.tasks.items() if key not in tasks},
            scores={
                tool: [unit for unit in units if unit.unit.task_key not in tasks]
                for tool, units in self.scores.items()
            },
        )


def doubted(results: Results, home: Path) -> Doubts:
    """The tasks of a run whose tests deserve less trust, with what `suites check` found."""
    empty: set[TaskKey] = set()
    little: set[TaskKey] = set()
    flaky: set[TaskKey] = set()
    failing: set[TaskKey] = set()
    for suite, facts in results.run.provenance["suites"].items():
        known = kept(home, facts["checksum"])
        if known.check:
            empty |= {(suite, task) for task in known.check.weak}
            failing |= {(suite, task) for task in known.check.failing}
        if known.best_mutants:
            little |= {(suite, task) for task in known.best_mutants.weak}
        if known.flakes:
            flaky |= {(suite, task) for task in known.flakes.flaky}
    found = Doubts(*map(frozenset, (empty, little, flaky, failing)))
    return doubts(results.tasks.values(), results.scores, found)


def left_out_at_start(run: Run) -> Iterator[str]:
    """What `--skip-bad` and `--answered-only` left out: no figure has it."""
    for source in run.provenance["candidates"].get("sources", ()):
        lines, tasks, of = (source.get(name) for name in ("bad_lines", "unanswered", "of"))
        if isinstance(lines, int):
            yield say(
                "Not read: {lines} of {tools} (`--skip-bad`).",
                lines=counted(lines, "line"),
                tools=say(", ").join(source.get("tools", ())),
            )
        if isinstance(tasks, int) and isinstance(of, int):
            yield say(
                "Left out: {count} of {tasks} that some tool has not answered (`--answered-only`).",
                count=f"{tasks:,}",
                tasks=counted(of, "task"),
            )


def load(store: Store, run: Run) -> Results:
    """All of a run; a task without an answer counts as failed once the run is complete."""
    options = run.provenance.get("options", {})
    chosen = {(suite, task) for suite, task in options.get("tasks", ())}
    tasks = {
        (task.suite, task.id): task
        for suite in store.suites(run).values()
        for task in suite.tasks[: options.get("limit")]
        if not chosen or (task.suite, task.id) in chosen
    }
    settle_failures(store, run, tasks)
    tools = run.provenance["candidates"]["tools"]
    judged, candidates = store.count_verdicts(run.id), sum(tools.values())
    declared = run.provenance["candidates"].get("prompt_languages")
    complete = judged == candidates
    asked = VerdictFigures(store).asked(run.id) if complete else []
    expected = expected_units(tasks.values(), asked, declared) if complete else {}
    with _without_cycles():
        found = gather(kept_samples(store, run), tasks, expected)
    found = with_values(found, dict(origin_values(store.origins(run.id))))
    found = with_values(found, known_values(store, run))
    ordered = {tool: found[tool] for tool in [*tools, *found] if tool in found}
    remarks = tuple(left_out_at_start(run))
    return Results(run, tasks, ordered, judged, candidates, remarks)


@contextmanager
def _without_cycles() -> Iterator[None]:
    """Does not look for garbage in cycles: what is made here has none, and may be a million values.

    Of the time that `tools/bench-store` measures for `score`, looking takes a fifth. What is made
    is not looked through later either, as long as it is used.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
