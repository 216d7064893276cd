"""TOML tables that know their lines, because tomllib forgets them.

Only what rubrics need: `[name]`, `[[name]]` and `[[name.part]]` headers and `key = value` lines.
"""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from polyassay.errors import PolyAssayError

HEADER = re.compile(r"\s*\[{1,2}\s*([\w.\-]+)\s*\]{1,2}")
KEY = re.compile(r"\s*([\w\-]+)(\.[\w.\-]+)?\s*=")
HINT = "`docs/grading.md` shows a whole rubric."


class Table:
    """One table: its values, and the lines that hold them."""

    def __init__(self, place: str, values: Mapping[str, Any], line: int, path: str) -> None:
        self._place = place
        self._values = values
        self._line = line
        self._path = path
        self._lines: dict[str, int] = {}
        self._children: dict[str, list[Table]] = {}

    @property
    def keys(self) -> list[str]:
        return list(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def refuse(self, key: str, problem: str) -> NoReturn:
        line = self._lines.get(key, self._line)
        subject = key or self._path
        raise PolyAssayError(f"{self._place}, line {line}: {subject} {problem}.", HINT)

    def allow(self, *keys: str) -> None:
        for key in self._values:
            if key not in keys:
                self.refuse(key, f"is unknown here; known are {', '.join(keys)}")

    def _value(self, key: str) -> Any:
        if key not in self._values:
            self.refuse("", f'has no "{key}"')
        return self._values[key]

    def text(self, key: str) -> str:
        value = self._value(key)
        if not isinstance(value, str) or not value.strip():
            self.refuse(key, "must be a text that is not empty")
        return value

    def whole(self, key: str) -> int:
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(key, f"must be a whole number, found {value!r}")
        return value

    def table(self, key: str) -> "Table":
        value = self._value(key)
        if not isinstance(value, dict):
            self.refuse(key, "must be a table of languages, as in { en = … }")
        if key in self._children:
            return self._children[key][0]
        return Table(self._place, value, self._lines.get(key, self._line), key)

    def list(self, key: str) -> "list[Table]":
        value = self._value(key)
        header = f"{self._path}.{key}".removeprefix(".")
        if not isinstance(value, list) or not value or key not in self._children:
            self.refuse(key, f"must be one or more [[{header}]] tables")
        return self._children[key][: len(value)]  # a header inside a text is none

    def child(self, name: str, line: int) -> "Table":
        """The next table that a header opens below this one."""
        found = self._children.setdefault(name, [])
        value = self._values.get(name)
        if isinstance(value, list):
            value = value[len(found)] if len(found) < len(value) else None
        path = f"{self._path}.{name}".removeprefix(".")
        found.append(Table(self._place, value if isinstance(value, dict) else {}, line, path))
        return found[-1]

    def last(self, name: str) -> "Table | None":
        return self._children.get(name, [None])[-1]

    def note(self, key: str, line: int) -> None:
        self._lines.setdefault(key, line)


def tables(text: str, values: Mapping[str, Any], place: str) -> Table:
    """The top table of a parsed file, its tables below it."""
    top = current = Table(place, values, 1, "")
    for number, line in enumerate(text.split("\n"), start=1):
        if header := HEADER.match(line):
            *parents, name = header[1].split(".")
            current = top
            for parent in parents:
                current = current.last(parent) or current.child(parent, number)
            current.note(name, number)
            current = current.child(name, number)
        elif key := KEY.match(line):
            current.note(key[1], number)
    return top
