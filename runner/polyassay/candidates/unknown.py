"""Answers to tasks that no suite at hand has: which task was probably meant by each."""

from collections.abc import Iterator, Mapping
from typing import Any

from polyassay.model import Suite
from polyassay.wording import closest, counted, some

RECORDED = 200  # names of a file: it may have any number of them
_COMPARED = 50_000  # pairs of names, which take about a second
SHOWN = 5


def recorded(unknown: Mapping[str, int], suites: Mapping[str, Suite]) -> list[dict[str, Any]]:
    """For the provenance, those first of which it is likely what was meant."""
    known = {task.id for suite in suites.values() for task in suite.tasks}
    looked_at = max(SHOWN, min(RECORDED, _COMPARED // max(1, len(known))))
    found = [
        {"id": name, "answers": count, "meant": closest(name.split(": ")[-1], known, 0.8)}
        if place < looked_at
        else {"id": name, "answers": count, "meant": ""}
        for place, (name, count) in enumerate(unknown.items())
    ]
    return sorted(found, key=lambda one: not one["meant"])[:RECORDED]


def told(unknown: Mapping[str, int], suites: Mapping[str, Suite]) -> Iterator[str]:
    """The same as a remark."""
    if not unknown:
        return
    many = counted(sum(unknown.values()), "answer")
    found = recorded(unknown, suites)
    meant = [one for one in found if one["meant"]]
    others = [name for name in unknown if name not in {one["id"] for one in meant}]
    names = [f'{one["id"]} (did you mean "{one["meant"]}"?)' for one in meant] + others
    yield f"{many} to tasks that the suites do not have: {some(names, max(SHOWN, len(meant)))}"
