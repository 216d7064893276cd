"""Answers to tasks that no suite of the run has: a misspelt id is a missing answer elsewhere."""

from collections.abc import Iterator, Mapping
from typing import Any

from polyassay.store import Run
from polyassay.texts import say
from polyassay.wording import some


def unknown_notes(run: Run) -> Iterator[str]:
    """Per tool: answers whose task id is in no suite, and the task that each id probably means."""
    for source in _sources(run):
        names = [
            say("{id} (probably {task})", id=one["id"], task=one["meant"])
            if one["meant"]
            else one["id"]
            for one in source["unknown"]
        ]
        yield say(
            "Not counted, because no suite of the run has such a task: of {tools} {names}.",
            tools=say(", ").join(source["tools"]),
            names=some(names, 10),
        )


def meant_for(run: Run, task: str, tool: str) -> str:
    """What a tool answered that was probably meant for this task; empty where nothing was."""
    return next(
        (
            str(one["id"])
            for source in _sources(run)
            if tool in source["tools"]
            for one in source["unknown"]
            if one["meant"] == task
        ),
        "",
    )


def _sources(run: Run) -> Iterator[Mapping[str, Any]]:
    for source in run.provenance["candidates"].get("sources", ()):
        if source.get("unknown"):
            yield source
