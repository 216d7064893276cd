"""LeetCodeDataset: methods of a class Solution, judged by check(Solution().name)."""

import re
from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.contests.released import read_released

_ENTRY = re.compile(r"(\w+)\(\)\.(\w+)")


def read(path: Path, name: str | None) -> list[Suite]:
    """A released file, or a folder that has one."""
    return read_released("leetcode", path, name, _task)


def _task(row: Fields, suite: str) -> Task:
    entry, test = _ENTRY.fullmatch(row.text("entry_point")), row.text("test")
    if entry is None:
        row.refuse("entry_point", "must be a method of an object, as Solution().twoSum")
    if "def check(candidate)" not in test:
        row.refuse("test", "must define check(candidate)")
    given, starter = row.text("prompt"), row.text("starter_code")
    return Task(
        id=row.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.CLASS,
        prompts={"en": f"{row.text('problem_description').strip()}\n\n{starter.rstrip()}\n"},
        tests=(Test("test_0", f"{test.strip()}\n\ncheck({entry[0]})\n"),),
        entry=entry[1],
        setup=given,
        context=f"{given.rstrip()}\n\n\n{starter.rstrip()}\n",
        reference=f"{given.rstrip()}\n\n\n{row.text('completion')}\n",
    )
