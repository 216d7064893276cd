"""The settings of a prompt: what a study varies, and what `--set NAME=VALUE` takes."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.wording import did_you_mean

ALL = "all"
HINT = "`polyassay prompts --help` names the settings and their values."
CHOICES = {
    "function_name": ("id", "constant", "intent"),
    "strip": ("none", "right", "both"),
    "drawing": ("ours", "published"),
}
COUNTS = ("examples", "seed")
_STRIP = {True: "right", False: "none", "true": "right", "false": "none"}


@dataclass(frozen=True, slots=True)
class PromptSettings:
    template: str = ""  # a shipped one's name or a file; empty: chat
    examples: int = 0  # solved tasks that stand before the task
    pool: str = ""  # the suite or native file that examples come from; empty: the task's own suite
    seed: int = 0  # of the drawing of examples and of shown tests
    shown_tests: int | str = 0  # how many of the task's tests are shown, or "all"
    held_out_tests: bool = False  # tests that are shown do not judge
    function_name: str = "id"
    strip: str = "none"  # white space at the end (right), or at both ends
    prompt_language: str = ""  # empty: English, or the first that a task has
    system: str = ""  # in place of the template's system message
    drawing: str = "ours"

    def changed(self, **values: object) -> "PromptSettings":
        return settings_from(values, self)

    def recorded(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


NAMES = tuple(field.name for field in dataclasses.fields(PromptSettings))


def settings_from(
    values: Mapping[str, object], base: PromptSettings | None = None
) -> PromptSettings:
    """Checked settings, from text (`--set`) or from a study file's values."""
    found = dataclasses.replace(base or PromptSettings())
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in NAMES:
            hint = did_you_mean(name, NAMES) + f"known are {', '.join(NAMES)}."
            raise PolyAssayError(f'There is no setting "{name}" of prompts.', hint)
        checked[name] = _checked(name, value)
    found = dataclasses.replace(found, **checked)
    if found.held_out_tests and found.shown_tests == ALL:
        raise PolyAssayError(
            "Tests that are shown cannot be held out where all are shown: none would judge.",
            "give shown_tests a number.",
        )
    return found


def _checked(name: str, value: object) -> object:
    if name in COUNTS:
        return _count(name, value)
    if name == "shown_tests":
        return ALL if value == ALL else _count(name, value)
    if name == "held_out_tests":
        if value in (True, "true"):
            return True
        if value in (False, "false"):
            return False
        raise PolyAssayError(f"{name} must be true or false, found {value!r}.", HINT)
    if name == "strip" and isinstance(value, bool | str):
        value = _STRIP.get(value, value)
    if not isinstance(value, str):
        raise PolyAssayError(f"{name} must be text, found {value!r}.", HINT)
    if name in CHOICES and value not in CHOICES[name]:
        known = ", ".join(CHOICES[name])
        raise PolyAssayError(
            f'{name} cannot be "{value}".', did_you_mean(value, CHOICES[name]) + f"known: {known}."
        )
    return value


def _count(name: str, value: object) -> int:
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        also = ' or "all"' if name == "shown_tests" else ""
        raise PolyAssayError(f"{name} must be a whole number{also}, found {value!r}.", HINT)
    return value
