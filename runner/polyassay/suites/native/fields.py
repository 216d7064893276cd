"""Reads the fields of one object in a suite's file, and complains by place and field."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import NoReturn, TypeVar

from polyassay.errors import Mistakes, PolyAssayError
from polyassay.model import LARGEST
from polyassay.wording import did_you_mean, probable_typos, stopped

NOTHING_ADDED = (
    "nothing was added. Fix it and add the suite again; datasets/README.md has the format."
)

_MISSPELT = "is not a field of this file; {hint}"
Number = TypeVar("Number", int, float)


def shown(value: object) -> str:
    """A value as the file's author would recognise it, cut to a line."""
    match value:
        case str():
            text = f'"{value}"'
        case bool() | None:
            text = {True: "true", False: "false", None: "null"}[value]
        case list():
            text = "a list"
        case dict():
            text = "an object"
        case _:
            text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"


class Fields:
    """The fields of one object; `where` is how a complaint begins ("tasks.jsonl, line 3")."""

    def __init__(self, where: str, values: object) -> None:
        if not isinstance(values, dict):
            raise PolyAssayError(
                f"{where}: must be an object, found {shown(values)}.", NOTHING_ADDED
            )
        self.where = where
        self.values: Mapping[str, object] = values

    def refuse(self, name: str, problem: str, hint: str = NOTHING_ADDED) -> NoReturn:
        raise PolyAssayError(stopped(f'{self.where}: "{name}" {problem}'), hint)

    def refuse_typos(self, known: Iterable[str]) -> None:
        """Refuses unknown fields that look like known ones; others are the author's own."""
        mistakes = Mistakes()
        for name, hint in probable_typos(self.values, known):
            mistakes.read(self.refuse, name, _MISSPELT.format(hint=hint.strip()))
        mistakes.tell()

    def refuse_missing(self, name: str) -> NoReturn:
        """What stands there under a misspelt name is not missing."""
        for typo, hint in probable_typos(self.values, [name]):
            self.refuse(typo, _MISSPELT.format(hint=hint.strip()))
        self.refuse(name, "is missing")

    def text(self, name: str, default: str | None = None) -> str:
        """A string; without a default it must be there and not blank."""
        value = self.values.get(name, default)
        if value is None and name not in self.values:
            self.refuse_missing(name)
        if not isinstance(value, str):
            self.refuse(name, f"must be text, found {shown(value)}")
        if default is None and not value.strip():
            self.refuse(name, "must not be empty")
        self._check_characters(name, value)
        return value

    def one_of(self, name: str, known: Iterable[str]) -> str:
        value, choices = self.text(name), sorted(known)
        if value not in choices:
            problem = f"must be one of {', '.join(choices)}, found {shown(value)}"
            hint = did_you_mean(value, choices).strip()
            self.refuse(name, f"{problem}; {hint}" if hint else problem)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings, empty where it is missing."""
        items = self.list(name)
        for index, item in enumerate(items):
            if not isinstance(item, str):
                self.refuse(f"{name}[{index}]", f"must be text, found {shown(item)}")
            self._check_characters(f"{name}[{index}]", item)
        return tuple(str(item) for item in items)

    def list(self, name: str) -> list[object]:
        value = self.values.get(name, [])
        if not isinstance(value, list):
            self.refuse(name, f"must be a list, found {shown(value)}")
        return value

    def object(self, name: str) -> "Fields":
        """An object within this one, empty where it is missing."""
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            self.refuse(name, f"must be an object, found {shown(value)}")
        return Fields(f'{self.where}, "{name}"', value)

    def text_map(self, name: str) -> dict[str, str]:
        inner = self.object(name)
        for key in inner.values:
            inner._check_characters(key, key)
        return {key: inner.text(key, "") for key in inner.values}

    def paths(self, name: str) -> dict[str, str]:
        """Relative path → text; nothing may leave the folder it is laid out in."""
        found = self.text_map(name)
        for path in found:
            pure = PurePosixPath(path)
            if not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in path:
                self.refuse(name, f"must have relative paths without .., found {shown(path)}")
        return found

    def encoded_files(self, name: str) -> dict[str, str]:
        found = self.paths(name)
        for path, content in found.items():
            try:
                base64.b64decode(content, validate=True)
            except (binascii.Error, ValueError):
                self.refuse(name, f"must have base64 contents, and that of {shown(path)} is not")
        return found

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            self.refuse(name, f"must be true or false, found {shown(value)}")
        return value

    def positive(self, name: str, default: Number) -> Number:
        value = self.values.get(name, default)
        whole = isinstance(default, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            self.refuse(name, f"must be a {'whole ' * whole}number, found {shown(value)}")
        if not 0 < value < LARGEST:
            self.refuse(name, f"must be above zero, and not absurdly large, found {shown(value)}")
        return type(default)(value)

    def _check_characters(self, name: str, value: str) -> None:
        try:
            value.encode()
        except UnicodeEncodeError:
            self.refuse(name, "holds half a character (a lone surrogate), which is not text")
