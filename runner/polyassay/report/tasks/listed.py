"""The list of tasks as data that a page loads with <script>, because fetch() needs a server.

A long list is several files. The first has what the page shows at first; the others are loaded when
somebody searches, chooses or sorts.
"""

import json
from collections.abc import Sequence
from typing import Any

from polyassay.model import Outcome
from polyassay.report.views import Site, TaskRow, ToolResult
from polyassay.shown_text import clean
from polyassay.texts import words_of_scripts

SHOWN_FIRST = 100  # rows that the page draws at once
_MANY_TASKS = 2500  # from here on the list shows less of each prompt, so that it stays small
_LARGE = 400_000  # characters of rows that one file has at most


def task_scripts(site: Site, at_once: bool = False) -> list[str]:
    """The text of tasks.js, then of tasks-1.js, tasks-2.js, …; `at_once`: of the first alone."""
    rows = _rows(site)
    parts = _parts(rows)
    if at_once or len(parts) == 1:
        return [_script("window.POLYASSAY", _head(site) | {"rows": rows, "parts": 0})]
    first = _rows(site, sorted(site.tasks, key=lambda row: _usual_place(site, row))[:SHOWN_FIRST])
    head = _head(site) | {"rows": first, "parts": len(parts)}
    others = [_script(f"window.POLYASSAY_PART_{i}", part) for i, part in enumerate(parts, 1)]
    return [_script("window.POLYASSAY", head), *others]


def _script(name: str, value: Any) -> str:
    return clean(f"{name}={_json(value)};\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _head(site: Site) -> dict[str, Any]:
    """All that the filters need to know before any row is there."""
    head = site.head_to_head
    outcomes = list(Outcome)
    results = [of for row in site.tasks for of in row.results if of]
    return {
        "tools": site.tools,
        "pair": [site.tools.index(head.a), site.tools.index(head.b)] if head else None,
        "suites": _suites(site),
        "prompts": sorted({row.prompt_language for row in site.tasks}),
        "outcomes": [outcome.value.replace("_", " ") for outcome in outcomes],
        "used": sorted({outcomes.index(of.outcome) for of in results}),
        "words": dict(words_of_scripts()),
        "total": len(site.tasks),
        "distinct": len({(row.suite, row.task) for row in site.tasks}),
        "columns": site.heatmap.columns if site.heatmap else [],
    }


def _suites(site: Site) -> list[str]:
    return sorted({row.suite for row in site.tasks})


def _rows(site: Site, chosen: Sequence[TaskRow] | None = None) -> list[list[Any]]:
    suites = {name: i for i, name in enumerate(_suites(site))}
    places = {outcome: i for i, outcome in enumerate(Outcome)}
    longest = 72 if len(site.tasks) <= _MANY_TASKS else 36

    def short(text: str) -> str:
        line = " ".join(text.split())
        return line if len(line) <= longest else line[: longest - 1] + "…"

    def result(of: ToolResult | None) -> list[float] | None:
        if of is None:
            return None
        shown = [places[of.outcome], round(of.ratio, 3), of.passed, of.total]
        return [*shown, of.solving, of.samples]

    def row(of: TaskRow) -> list[Any]:
        head = [of.page, of.task, suites[of.suite], of.language, of.prompt_language]
        return [*head, short(of.prompt), [result(each) for each in of.results]]

    return [row(each) for each in (site.tasks if chosen is None else chosen)]


def _parts(rows: Sequence[list[Any]]) -> list[list[list[Any]]]:
    parts: list[list[list[Any]]] = [[]]
    size = 0
    for row in rows:
        size += len(_json(row))
        if size > _LARGE and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(row)
    return parts


def _usual_place(site: Site, row: TaskRow) -> tuple[bool, float, str, str]:
    """The order that the page has before anybody chooses: what differs most comes first."""
    if not site.head_to_head:
        return False, 0.0, "", row.task
    pair = (site.head_to_head.a, site.head_to_head.b)
    a, b = (row.results[site.tools.index(tool)] for tool in pair)
    alike = _solved(a) == _solved(b)
    return alike, -abs((b.ratio if b else 0.0) - (a.ratio if a else 0.0)), row.suite, row.task


def _solved(of: ToolResult | None) -> float:
    return of.solving / of.samples if of and of.samples else 0.0
