"""Leaves out of a report what may not be shown: of private or licensed suites, or of answers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from polyassay.errors import PolyAssayError
from polyassay.model import TestStatus
from polyassay.report.tasks.failing import FailedTest
from polyassay.report.views import PromptPage, ShownSample, Site, TaskPage
from polyassay.wording import counted


class Withheld(StrEnum):
    TESTS = "tests"
    REFERENCES = "references"
    ANSWERS = "answers"
    PROMPTS = "prompts"


def parse_without(text: str) -> frozenset[Withheld]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(Withheld)]
    if unknown:
        raise PolyAssayError(
            f'A report cannot be without "{unknown[0]}".',
            hint=f"Name any of {', '.join(Withheld)}.",
        )
    return frozenset(map(Withheld, names))


def without(site: Site, what: frozenset[Withheld]) -> Site:
    """The first page: its list of tasks shows prompts, and its trust cards name tests."""
    if Withheld.PROMPTS in what:
        site = replace(site, tasks=tuple(replace(row, prompt="") for row in site.tasks))
    return replace(site, trust={}) if Withheld.TESTS in what else site


def pages_without(pages: Iterable[TaskPage], what: frozenset[Withheld]) -> Iterator[TaskPage]:
    return (_page(page, what) for page in pages) if what else iter(pages)


def _page(page: TaskPage, what: frozenset[Withheld]) -> TaskPage:
    hidden = Withheld.PROMPTS in what  # a context is part of what is asked
    return replace(
        page,
        signature="" if hidden else page.signature,
        context="" if hidden else page.context,
        asked=tuple(_asked(one, what) for one in page.asked),
    )


def _asked(asked: PromptPage, what: frozenset[Withheld]) -> PromptPage:
    kept = () if Withheld.ANSWERS in what else asked.differences
    return replace(
        asked,
        prompt="" if Withheld.PROMPTS in what else asked.prompt,
        attempts={
            tool: tuple(_attempt(one, what) for one in some)
            for tool, some in asked.attempts.items()
        },
        differences=tuple(
            one for one in kept if not (one.of_reference and Withheld.REFERENCES in what)
        ),
    )


def _attempt(attempt: ShownSample, what: frozenset[Withheld]) -> ShownSample:
    if what - {Withheld.ANSWERS}:  # it may show tests and solved tasks, too
        attempt = replace(attempt, sent="")
    if Withheld.ANSWERS in what:
        attempt = replace(attempt, said=attempt.reason, remarks=())
        attempt = replace(attempt, code="", source="", output="", notes=(), withheld=True)
    if Withheld.TESTS in what:
        counts: Counter[TestStatus] = Counter()
        for one in attempt.failed_tests:
            counts[one.status] += len(one.names)
        told = [FailedTest((counted(n, "test"),), status, "") for status, n in counts.items()]
        passed = (counted(len(attempt.passed_tests), "test"),) if attempt.passed_tests else ()
        # A reason quotes the first failure.
        attempt = replace(
            attempt,
            reason="",
            said="",
            remarks=(),
            failed_tests=tuple(told),
            passed_tests=passed,
            output="",
        )
    return attempt
