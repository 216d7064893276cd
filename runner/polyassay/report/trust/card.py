"""A suite's trust card: all that is known about its tests, on one page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from polyassay.model import Judging, Style, Suite, Task
from polyassay.report.tables import per_cent
from polyassay.report.trust.history import History
from polyassay.texts import say
from polyassay.trust.kept import Kept
from polyassay.trust.mutation import MutationCheck
from polyassay.wording import counted, some


@dataclass(frozen=True, slots=True)
class TrustCard:
    suite: Suite
    kept: Kept
    history: History | None = None

    @property
    def judged_apart(self) -> int:
        return sum(task.judging is Judging.APART for task in self._tested)

    @property
    def prompts_with_tests(self) -> tuple[str, ...]:
        """Tasks whose prompt has the very text of one of their tests."""
        return tuple(task.id for task in self._tested if _shows_a_test(task))

    @property
    def _tested(self) -> list[Task]:
        return [task for task in self.suite.tasks if task.style is not Style.RUBRIC]

    def lines(self) -> list[tuple[str, str]]:
        """What is measured, and what came out, in words."""
        check, flakes = self.kept.check, self.kept.flakes
        tested, shown = len(self._tested), self.prompts_with_tests
        measured = {
            "references": self._references() if check else "",
            "empty answers": counted(len(check.weak), "task passes with one", "tasks pass with one")
            if check
            else "",
            "mutants": mutants_told(self.kept.best_mutants),
            "flaky tests": self._flakes() if flakes else "",
            "weak tasks": self._weak(),
        }
        found = [
            *((name, told) for name, told in measured.items() if told),
            *self._not_measured([name for name, told in measured.items() if not told]),
            (
                "judged apart",
                say("{part} of {tasks}", part=self.judged_apart, tasks=counted(tested, "task")),
            ),
            ("prompts with tests", _named(counted(len(shown), "task"), shown)),
            ("licence", self.suite.licence or say("unknown")),
            ("canary", self.suite.canary or say("none")),
        ]
        return [(say(name), told) for name, told in [*found, *self._history_lines()]]

    def _references(self) -> str:
        check = self.kept.check
        assert check is not None
        told = say("{passed} of {all} pass", passed=check.references_passed, all=check.references)
        none = len(self._tested) - check.references
        if none < 1:
            return told
        return say("{told}; {tasks} without one", told=told, tasks=counted(none, "task"))

    def as_json(self) -> dict[str, Any]:
        check, flakes, mutants = self.kept.check, self.kept.flakes, self.kept.best_mutants
        return {
            "suite": self.suite.name,
            "version": self.suite.version,
            "checksum": self.suite.checksum,
            "references": {"passed": check.references_passed, "of": check.references}
            if check
            else None,
            "empty_passes": list(check.weak) if check else None,
            "mutants": mutants_json(mutants) if mutants else None,
            "flaky": {
                "repeats": flakes.repeats,
                "under_load": flakes.under_load,
                "tests": {
                    task: {name: [each.passed, each.of] for name, each in tests.items()}
                    for task, tests in flakes.flaky.items()
                },
            }
            if flakes
            else None,
            "weak": sorted(self.kept.weak),
            "judged": {
                Judging.APART: self.judged_apart,
                Judging.TOGETHER: len(self._tested) - self.judged_apart,
            },
            "prompts_with_tests": list(self.prompts_with_tests),
            "licence": self.suite.licence,
            "canary": self.suite.canary,
            "runs": self._history_json(),
        }

    def _flakes(self) -> str:
        flakes = self.kept.flakes
        assert flakes is not None
        load = " under load" if flakes.under_load else ""
        told = say(
            f"{{flaky}} of {{tests}} in {{repeats}} repetitions{load}",
            flaky=flakes.flaky_tests,
            tests=flakes.tests,
            repeats=flakes.repeats,
        )
        passed = "{task} {test} passed {passed} of {all}"
        worst = [
            say(passed, task=task, test=test, passed=each.passed, all=each.of)
            for task, tests in flakes.flaky.items()
            for test, each in tests.items()
        ]
        return say("{count}: {names}", count=told, names=some(worst, 3)) if worst else told

    def _not_measured(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """One line for all of it: what nobody has looked at is no sign of bad tests."""
        if not names:
            return []
        told = say(
            "{names}: this says nothing against the tests, and `{command}` measures it",
            names=say(", ").join(map(say, names)),
            command=f"polyassay suites check {self.suite.name} --mutants 10 --repeat 10",
        )
        return [("not measured here", told)]

    def _weak(self) -> str:
        if self.kept.check is None and not self.kept.mutants:
            return ""
        weak = sorted(self.kept.weak)
        told = say("{part} of {all}", part=len(weak), all=len(self._tested))
        return _named(told, weak)

    def _history_lines(self) -> list[tuple[str, str]]:
        found = self.history
        if found is None:
            return []
        tests = [f"{task} {test}" for task, test in found.always_failed]
        wrong = [f"{key.tool} {key.task}" for key in found.passed_but_wrong]
        told = say(
            "{runs}, {answers} of {tools}",
            runs=counted(found.runs, "run"),
            answers=counted(found.answers, "answer"),
            tools=counted(found.tools, "tool"),
        )
        low = _named(counted(len(wrong), "answer"), wrong)
        return [
            ("runs in the store", told),
            ("  failed by none", counted(len(found.never_failed), "test")),
            ("  failed by all", _named(counted(len(tests), "test"), tests)),
            ("  same for all tools", counted(len(found.alike), "task")),
            *([("  passed, graded low", low)] if wrong else []),
        ]

    def _history_json(self) -> dict[str, Any] | None:
        found = self.history
        if found is None:
            return None
        return {
            "runs": found.runs,
            "tools": found.tools,
            "answers": found.answers,
            "never_failed": [list(key) for key in found.never_failed],
            "always_failed": [list(key) for key in found.always_failed],
            "alike": list(found.alike),
            "passed_but_wrong": [
                {"task": key.task, "tool": key.tool, "sample": key.sample}
                for key in found.passed_but_wrong
            ],
        }


def mutants_json(found: MutationCheck) -> dict[str, Any]:
    interval = found.interval
    return {
        "caught": found.caught,
        "of": found.of,
        "share": found.share,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "seed": found.seed,
        "asked": found.asked,
        "equivalent": found.equivalent,
        "unbuilt": found.unbuilt,
        "weak": list(found.weak),
        "tasks": {
            name: {"caught": of.caught, "of": of.of, "survivors": list(of.survivors)}
            | ({"by_test": dict(of.by_test)} if of.by_test else {})
            for name, of in found.tasks.items()
        },
    }


def mutants_told(found: MutationCheck | None) -> str:
    """312 of 340 caught, 91.8 % (95 %: 88.1 to 94.4), 10 a task, seed 0."""
    if found is None or found.share is None or found.interval is None:
        return ""
    each = "all of them" if found.asked is None else "{count} a task"
    return say(
        "{caught} of {of} caught, {share} (95 %: {low} to {high}), {each}, seed {seed}",
        caught=found.caught,
        of=found.of,
        share=per_cent(found.share),
        low=f"{100 * found.interval.low:.1f}",
        high=f"{100 * found.interval.high:.1f}",
        each=say(each, count=found.asked),
        seed=found.seed,
    )


def _named(count: str, names: Sequence[str]) -> str:
    return say("{count}: {names}", count=count, names=some(names)) if names else count


def _shows_a_test(task: Task) -> bool:
    """Without white space, so that another layout does not hide it."""
    prompts = _bare("\n".join((*task.prompts.values(), task.context)))
    for test in task.tests:
        code = test.code.removeprefix("assert ") if test.code else test.stdin
        if len(_bare(code)) > 3 and _bare(code) in prompts:
            return True
    return False


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def told_by_test(found: MutationCheck) -> list[str]:
    """What each test catches alone, where all tasks have the same few."""
    told = []
    for test in found.shared_tests:
        share, ends = found.test_interval(test)
        told.append(
            f"{test} alone catches {100 * share:.1f} % (95 %: {100 * ends.low:.1f} to "
            f"{100 * ends.high:.1f})"
        )
    return told
