"""Verdicts of two tools, and the commands that measure them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from made import make_task, make_verdict, scores_of
from polyassay.cli import polyassay
from polyassay.measures.comparing.two import Side
from polyassay.measures.units import Unit
from polyassay.model import Language, Task, Verdict

TOOLS = ("finch", "heron")
TASKS = [make_task(str(i), tags=("open" if i % 2 else "closed",)) for i in range(40)]


def answers(tool: str, *passing: Iterable[int]) -> list[Verdict]:
    solved = {i for numbers in passing for i in numbers}
    return [make_verdict(str(i), 2 if i in solved else 1, tool=tool) for i in range(40)]


def call(tmp_path: Path, *args: str) -> Result:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    result = CliRunner().invoke(polyassay, [*args, "--store", url])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def tasks_of(count: int, language: Language = Language.PYTHON, name: str = "") -> list[Task]:
    return [make_task(f"{name}{i}", language=language) for i in range(count)]


def verdicts_of(solved: Mapping[str, Sequence[bool | None]], name: str = "") -> list[Verdict]:
    """Of each tool by task; None: no answer."""
    return [
        make_verdict(f"{name}{i}", 2 * passed, tool=tool)
        for tool, of in solved.items()
        for i, passed in enumerate(of)
        if passed is not None
    ]


def sides(tasks: list[Task], verdicts: list[Verdict]) -> tuple[Side, Side]:
    asked = {tool: [Unit("s", task.id, "en") for task in tasks] for tool in TOOLS}
    scores = scores_of(verdicts, tasks, asked)
    return ("finch", scores["finch"]), ("heron", scores["heron"])
