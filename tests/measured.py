"""Verdicts of two tools, and the commands that measure them."""

from collections.abc import Iterable
from pathlib import Path

from click.testing import CliRunner, Result

from made import make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.model import Verdict

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
