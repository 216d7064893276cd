"""Collects a tool's answers in its file: plans the requests, sends them, reports the counts."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile
from polyassay.generate.asking import Asking, AskingBudget, Tally
from polyassay.generate.clients import client_for
from polyassay.generate.plan import AskingEstimate, AskingPlan, estimate, make_plan
from polyassay.generate.progress import AskingProgress, summary
from polyassay.generate.second_try import FirstTry, second_plan
from polyassay.generate.tools import Tool
from polyassay.model import Suite, Task
from polyassay.prompts import Prompt, PromptSettings, render
from polyassay.study.pools import pool_of
from polyassay.suites.registry import Registry
from polyassay.wording import counted

ALL = "all"


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """One tool (or variant), and what it is asked."""

    tool: Tool
    settings: PromptSettings
    samples: int
    path: Path
    languages: tuple[str, ...] = ()  # of prompts; empty: each task's usual one
    firsts: tuple[FirstTry, ...] = ()  # of second tries: what they follow


def languages_of(task: Task, wanted: Sequence[str]) -> list[str]:
    if not wanted:
        return ["en" if "en" in task.prompts else next(iter(task.prompts), "")]
    if ALL in wanted:
        return list(task.prompts)
    return [language for language in wanted if language in task.prompts]


def plan_of(
    asked: Questionnaire, suites: Mapping[str, Suite], registry: Registry, file: AnswerFile | None
) -> AskingPlan:
    pools = {name: pool_of(asked.settings, suite, registry) for name, suite in suites.items()}

    def rendered(task: Task, language: str) -> Prompt:
        settings = asked.settings.changed(prompt_language=language)
        return render(task, settings, pools[task.suite])

    if asked.firsts:
        return second_plan(asked.tool, suites, rendered, asked.firsts, file)

    def languages(task: Task) -> list[str]:
        return languages_of(task, asked.languages)

    plan = make_plan(asked.tool, suites, languages, rendered, asked.samples, file)
    if not plan.wanted:
        raise PolyAssayError(
            f'There is nothing to ask "{asked.tool.name}".',
            "no task has a prompt in the languages that were named.",
        )
    return plan


def estimate_of(
    asked: Questionnaire, suites: Mapping[str, Suite], registry: Registry
) -> tuple[AskingPlan, AskingEstimate]:
    """What is still to be asked; nothing is sent and nothing written."""
    with _opened(asked.path) as file:
        plan = plan_of(asked, suites, registry, file)
    together = asked.tool.via in ("openai", "completions") and "seed" not in asked.tool.values
    return plan, estimate(plan, asked.tool, 16 if together else 1)


@contextmanager
def _opened(path: Path) -> Iterator[AnswerFile | None]:
    if not path.exists():
        yield None
        return
    with AnswerFile(path) as file:
        yield file


def ask(
    asked: Questionnaire,
    suites: Mapping[str, Suite],
    registry: Registry,
    budget: AskingBudget,
    console: Console,
) -> Tally:
    """Asks for all that is missing; the same call goes on where it was stopped."""
    if budget.cost is not None and asked.tool.price is None:
        raise PolyAssayError(
            f'The price of "{asked.tool.name}" is not known, so --max-cost cannot be kept.',
            "give the tool a price, or limit tokens with --max-tokens-total.",
        )
    with AnswerFile(asked.path) as file:
        plan = plan_of(asked, suites, registry, file)
        file.add(plan.kept)
        console.print(_headline(asked, plan), markup=False)
        tally = asyncio.run(_ask(asked, plan, file, budget, console)) if plan.questions else Tally()
    _tell(asked, tally, console)
    if tally.errors and not tally.answers and not plan.present:
        worst = tally.errors.most_common(1)[0][0]
        raise PolyAssayError(f'"{asked.tool.name}" gave no answer: {worst}.', "nothing was kept.")
    return tally


async def _ask(
    asked: Questionnaire, plan: AskingPlan, file: AnswerFile, budget: AskingBudget, console: Console
) -> Tally:
    currency = asked.tool.price.currency if asked.tool.price else ""
    client = client_for(asked.tool)
    with AskingProgress(console, asked.tool.name, plan.missing, currency) as progress:
        asking = Asking(asked.tool, client, file, budget=budget, on_change=progress.update)
        try:
            return await asking.run(plan)
        finally:
            await client.close()


def _headline(asked: Questionnaire, plan: AskingPlan) -> str:
    there = f", {plan.present:,} are there" if plan.present else ""
    there += f", {len(plan.kept):,} stay as they are" if plan.kept else ""
    others = f"; {counted(plan.others, 'other answer')} of the file left alone" * bool(plan.others)
    return f"{asked.tool.name}: {counted(plan.wanted, 'answer')} wanted{there}{others}"


def _tell(asked: Questionnaire, tally: Tally, console: Console) -> None:
    currency = asked.tool.price.currency if asked.tool.price else ""
    if tally.answers or tally.errors:
        console.print(f"{asked.tool.name}: {summary(tally, currency)}", markup=False)
    if tally.left_out:
        names = ", ".join(tally.left_out)
        console.print(f"  Warning: the model does not take {names}; asked without.", markup=False)
    for problem, many in tally.errors.most_common(5):
        console.print(f"  {counted(many, 'question')} without an answer: {problem}", markup=False)
    if tally.stopped:
        console.print(f"  Stopped: {tally.stopped}. What was answered is kept.", markup=False)
