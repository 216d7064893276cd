"""How many tokens an agent used and what that cost, as its output says; unknown stays unknown."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

NAMES = ("input", "output", "cached", "reasoning", "cost")
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class Usage:
    """None is unknown, and never 0."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    cost: float | None = None

    @property
    def tokens(self) -> dict[str, int | None]:
        return {name: getattr(self, name) for name in NAMES if name != "cost"}


@dataclass(frozen=True, slots=True)
class UsageReader:
    """Where numbers stand in an output: in events (JSON lines), or in lines of text."""

    where: Mapping[str, str] | None = None  # events: these fields have these values
    fields: Mapping[str, str] | None = None  # events: our name → path of the number, with dots
    pattern: str = ""  # lines: with groups of our names
    add_up: bool = True  # of several, their sum; else the last

    def read(self, printed: str) -> Usage:
        found = list(self._events(printed) if self.fields else self._lines(printed))
        if not self.add_up:
            found = found[-1:]
        totals: dict[str, float] = {}
        for numbers in found:
            for name, value in numbers.items():
                totals[name] = totals.get(name, 0) + value
        whole = {name: int(value) for name, value in totals.items() if name != "cost"}
        return Usage(**whole, cost=totals.get("cost"))

    def _events(self, printed: str) -> Iterator[dict[str, float]]:
        assert self.fields is not None
        for event in json_lines(printed):
            if all(_at(event, path) == value for path, value in (self.where or {}).items()):
                values = {name: _at(event, path) for name, path in self.fields.items()}
                yield {n: v for n, v in values.items() if isinstance(v, int | float)}

    def _lines(self, printed: str) -> Iterator[dict[str, float]]:
        for match in re.finditer(self.pattern, printed) if self.pattern else ():
            groups = match.groupdict()
            yield {name: _number(groups[name]) for name in NAMES if groups.get(name)}


def json_lines(printed: str) -> Iterator[dict[str, Any]]:
    """The events of an output; whatever else it prints is passed over."""
    for line in printed.splitlines():
        if line.lstrip().startswith("{"):
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event


def _at(value: object, path: str) -> object:
    for part in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def _number(text: str) -> float:
    """1,234 and 2.1k, as people print them."""
    found = re.fullmatch(r"([\d.,]+)\s*([kKmM]?)", text.strip())
    if found is None:
        return 0.0
    return float(found[1].replace(",", "")) * _FACTORS[found[2].lower()]
