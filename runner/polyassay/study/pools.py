"""Where few-shot examples come from: the suite itself, another suite, or a native file."""

from collections.abc import Sequence
from pathlib import Path

from polyassay.model import Suite, Task
from polyassay.prompts import PromptSettings
from polyassay.suites.native import jsonl
from polyassay.suites.registry import Registry


def pool_of(settings: PromptSettings, suite: Suite, registry: Registry) -> Sequence[Task]:
    if not settings.examples:
        return ()
    if not settings.pool or settings.pool == suite.name:
        return suite.tasks
    path = Path(settings.pool)
    if path.is_file():
        (found,) = jsonl.read(path, path.stem)
        return found.tasks
    return registry.load(settings.pool).tasks
