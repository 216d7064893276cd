"""Where a run's figures come from, as a page on a terminal."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from polyassay.shown_text import in_a_line
from polyassay.store import Run
from polyassay.wording import counted

_USUAL: tuple[object, ...] = (
    None,
    False,
    "",
    "auto",
    "default",
    0,
    [],
    {},
)  # of a setting: nothing was asked for
_CHECKSUM = 12  # characters that tell suites apart


def print_provenance(console: Console, run: Run) -> None:
    named = f"run {run.id}" + (f", {run.label}" if run.label else "")
    started = run.created[:16].replace("T", " ")
    when = f"imported {started} UTC" if run.imported else f"started {started} UTC"
    console.print(Text(in_a_line(f"{named}, {when}"), "bold"))
    if run.imported:
        there = run.created_there[:16].replace("T", " ")
        told = f"  Its verdicts were not judged here; its file says that it was started {there}."
        console.print(Text(in_a_line(told)), soft_wrap=True)
    for title, lines in _lines(run.provenance):
        for place, line in enumerate(lines):
            shown = in_a_line(title if not place else "")
            line_told = Text.assemble((f"  {shown:<14}", "dim"), in_a_line(line))
            console.print(line_told, soft_wrap=True)


def _lines(facts: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What has a form of its own first, and then whatever else was recorded."""
    rest = {n: of for n, of in facts.items() if n not in ("imported", "created_there")}
    options = rest.pop("options", {})
    chosen = Counter(suite for suite, _ in options.get("tasks", ()))
    yield "suites", [_suite(name, of, chosen) for name, of in rest.pop("suites", {}).items()]
    answers = rest.pop("candidates", {})
    tools = answers.get("tools", {})
    yield "tools", [f"{name}, {counted(count, 'answer')}" for name, count in tools.items()]
    yield (
        "answers from",
        [_source(of) for of in answers.get("sources", []) if "unanswered" not in of],
    )
    yield "command", [shlex.join(["polyassay", *rest.pop("command", [])])]
    settings = {n: of for n, of in options.items() if of not in _USUAL and n != "tasks"}
    for title, value in {"settings": settings, **rest}.items():
        if value not in _USUAL:
            yield title, [_words(value)]


def _suite(name: str, of: Mapping[str, Any], chosen: Mapping[str, int]) -> str:
    """`chosen`: how many of a suite's tasks count, where not all do."""
    tasks = counted(of["tasks"], "task")
    if chosen and chosen.get(name, 0) < of["tasks"]:
        tasks = f"{chosen.get(name, 0):,} of {tasks}"
    version = f" {of['version']}" if of.get("version") else ""
    return f"{name}{version}, {tasks}, checksum {of['checksum'][:_CHECKSUM]}"


def _source(of: Mapping[str, Any]) -> str:
    if "path" not in of:
        return _words(of)
    return f"{of['path']} ({of.get('format', '')}, {counted(of.get('candidates', 0), 'answer')})"


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        told = [f"{name.replace('_', ' ')} {_words(of)}" for name, of in value.items()]
        return ", ".join(told)
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    return str(value)
