"""Suites and their tasks, on a terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyassay.model import Judging, Suite, Task
from polyassay.report.trust.card import TrustCard
from polyassay.suites.registry import Overview


def suites_table(found: Iterable[Overview]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("suite", "version", "tasks", "languages", "description"):
        table.add_column(column, justify="right" if column == "tasks" else "left")
    for overview in found:
        table.add_row(
            overview.name,
            overview.version,
            str(overview.tasks),
            ", ".join(overview.languages),
            Text(overview.description),
        )
    return table


def print_statistics(console: Console, suite: Suite, counted: Mapping[str, Any]) -> None:
    """How many tasks and tests a suite has, of which kinds."""
    console.print(f"[bold]{suite.name} {suite.version}[/]  {suite.description}", markup=True)
    about = {"jars": ", ".join(suite.jars) or "–", "source": suite.source}
    for name, value in (dict(counted) | about).items():
        if name != "by_prompt_language":
            console.print(Text(f"  {name.replace('_', ' '):<18}{_told(value)}"), soft_wrap=True)
    console.print(_by_prompt_language(counted["by_prompt_language"]))


def print_card(console: Console, card: TrustCard) -> None:
    """How far the suite's tests can be trusted."""
    console.print("\n[bold]Trust[/]", markup=True)
    for name, told in card.lines():
        console.print(Text(f"  {name:<22}{told}"), soft_wrap=True)


def _told(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    several = f"{len(value)}: " if len(value) > 5 else ""
    return several + "   ".join(f"{name} {count}" for name, count in value.items()) or "–"


def _by_prompt_language(prompted: Mapping[str, Mapping[str, int]]) -> Table:
    columns = list(dict.fromkeys(name for counts in prompted.values() for name in counts))
    table = Table(box=None, pad_edge=False)
    table.add_column("  prompts in")
    for name in (*columns, "tests a task"):
        table.add_column(name, justify="right")
    for language, counts in prompted.items():
        each = f"{counts['tests'] / counts['tasks']:.1f}"
        table.add_row(f"  {language}", *(str(counts.get(name, 0)) for name in columns), each)
    return table


def print_task(console: Console, task: Task) -> None:
    """A task in full, its tests and reference included."""
    because = f", because {task.together_because}" if task.judging is Judging.TOGETHER else ""
    console.print(f"[bold]{task.suite} {task.id}[/] · {task.language} {task.style}")
    for language, prompt in task.prompts.items():
        console.print(Text(f"  {language}: {prompt.strip()}"), soft_wrap=True)
    console.print(Text(f"  signature {task.signature or '–'}"), soft_wrap=True)
    console.print(Text(f"  judged    {task.judging}{because}"), soft_wrap=True)
    console.print(
        Text(f"  tests     {', '.join(test.name for test in task.tests)}"), soft_wrap=True
    )
    for heading, code in (
        ("tests", task.test_source or "\n".join(test.code for test in task.tests)),
        ("reference", task.reference),
    ):
        console.print(Text(f"\n{heading}:\n{code.rstrip()}"), soft_wrap=True)
