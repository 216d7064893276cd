"""A grader's room: a desk, what the keys do on it, and what is in view.

Every form of a session (full screen, line by line, browser) hands its keys to `press` and draws
what `view` returns, so keys and order are the same in all of them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from polyassay.model import CandidateKey
from polyassay.rubric.blind import printable
from polyassay.rubric.room.desk import Desk, Field
from polyassay.rubric.room.view import (
    ShownAnswer,
    ShownField,
    ShownKey,
    ShownOption,
    View,
    declared,
    difference,
)
from polyassay.rubric.room.words import say, word
from polyassay.store.graders import Calibration

SIDES = "AB"
# Other names of keys, as keyboards and browsers have them.
SAME = {"left": "b", "right": "n", "enter": "n"}

STEADY = 5  # items, before a pace means anything


class Room:
    """Draws nothing itself."""

    def __init__(
        self,
        desk: Desk[Any],
        code: Callable[[CandidateKey], str],
        language: str,
        open_reference: bool = False,
    ) -> None:
        """`code` is blind; with `open_reference` the reference may be seen before scoring."""
        self.desk, self.language = desk, language
        self.code, self.open_reference = code, open_reference
        self._notice = ""
        self._beside: str = ""  # what is shown instead of the answers: reference or difference
        self._actions: dict[str, Callable[[], None]] = {
            "u": self._undo,
            "b": desk.back,
            "n": desk.forward,
            "s": desk.skip,
            "f": desk.flag,
            "d": self._difference,
            "r": self._reference,
            "up": lambda: desk.focus(-1),
            "down": lambda: desk.focus(1),
        }

    # Keys.

    def press(self, key: str, text: str = "") -> None:
        """What a key does; `text` is a comment's, or the number of a field that was clicked."""
        self._notice = ""
        key = SAME.get(key, key)
        self.desk.refresh()
        before = self.desk.number
        if self.desk.finished:
            self._press_at_the_end(key)
        elif key.isdecimal():
            self._give(key)
        elif key == "c":
            self.desk.comment(printable(text).replace("\n", " ").strip())
        elif key == "focus" and text.isdecimal():
            self.desk.focus_on(int(text))
        elif key in self._actions:
            self._actions[key]()
        else:
            self._notice = word("no_such_key", self.language, keys=" ".join(self._key_names()))
        if self.desk.number != before:
            self._beside = ""

    def _press_at_the_end(self, key: str) -> None:
        if key in ("u", "b"):
            self._actions[key]()
        elif key == "r" and not self.desk.take_up_skipped():
            self._notice = word("nothing_skipped", self.language)

    def _give(self, key: str) -> None:
        field = self.desk.field
        if self.desk.give(key):
            return
        if self.desk.feedback is not None:
            self._notice = word("told_already", self.language)
            return
        keys = " ".join(option.key for option in field.options)
        self._notice = word("range", self.language, name=say(field.name, self.language), keys=keys)

    def _undo(self) -> None:
        if not self.desk.undo():
            self._notice = word("nothing_to_undo", self.language)

    def _difference(self) -> None:
        if len(self.desk.answers) < 2:
            self._notice = word("no_difference", self.language)
            return
        self._beside = "" if self._beside == "difference" else "difference"

    def _reference(self) -> None:
        if not self.desk.task_of(self.desk.number).reference:
            self._notice = word("no_reference", self.language)
        elif not (self.open_reference or self.desk.done):
            self._notice = word("score_first", self.language)
        else:
            self._beside = "" if self._beside == "reference" else "reference"

    def comment_before(self) -> tuple[str, str]:
        """What the field in focus is called, and the comment that it has."""
        field = self.desk.field
        return say(field.name, self.language), self.desk.comment_on(field)

    # What is in view.

    def view(self) -> View:
        desk = self.desk
        if desk.finished:
            return self._end()
        codes = [self.code(item.key) for item in desk.answers]
        two = len(codes) > 1
        task = desk.task_of(desk.number)
        return View(
            kind=desk.kind,
            number=desk.number,
            finished=False,
            where=self._where(),
            prompt=printable(desk.prompt_of(desk.number).strip()),
            signature=printable(declared(task)),
            rule=say(desk.rubric.rule, self.language),
            language=task.language,
            answers=tuple(
                ShownAnswer(word("answer", self.language) + (f" {side}" if two else ""), code)
                for side, code in zip(SIDES, codes, strict=False)
            ),
            fields=tuple(map(self._field, desk.fields)),
            keys=tuple(ShownKey(key, name) for key, name in self._keys().items()),
            feedback=self._feedback(),
            reference=printable(task.reference) if self._beside == "reference" else "",
            difference=difference(codes[0], codes[1]) if self._beside == "difference" else (),
            notice=self._notice,
        )

    def _end(self) -> View:
        progress = self.desk.progress()
        name = "closing_skipped" if progress.skipped else "closing"
        told = {"total": progress.total, "skipped": progress.skipped, "done": progress.done}
        closing = word(name, self.language, **told)
        keys = {"r": word("revisit", self.language)} if progress.skipped else {}
        keys |= {key: word(name, self.language) for key, name in (("u", "undo"), ("b", "back"))}
        return View(
            kind=self.desk.kind,
            number=self.desk.number,
            finished=True,
            where=self._where(),
            closing=closing,
            keys=tuple(ShownKey(key, name) for key, name in keys.items()),
            notice=self._notice,
        )

    def _field(self, field: Field) -> ShownField:
        given = self.desk.given(field)
        two = len(self.desk.answers) > 1 and field.side is not None
        return ShownField(
            say(field.name, self.language),
            SIDES[field.side or 0] if two else "",
            field == self.desk.field,
            self.desk.comment_on(field),
            tuple(
                ShownOption(
                    option.key,
                    say(option.label, self.language),
                    say(option.text, self.language),
                    option.key == given,
                )
                for option in field.options
            ),
        )

    def _where(self) -> tuple[str, ...]:
        """Parts of the headline, the most important first."""
        desk, language = self.desk, self.language
        progress = desk.progress()
        if desk.finished:
            return (word("done", language), *_pace(desk, language))
        parts = [word("item", language, number=desk.number + 1, total=progress.total)]
        if desk.known_of(desk.number) is not None:
            parts.append(word("calibration", language))
        if desk.flagged(desk.number):
            parts.append(word("flagged", language))
        if desk.skipped(desk.number):
            parts.append(word("skipped", language))
        return (*parts, *_pace(desk, language))

    def _keys(self) -> dict[str, str]:
        """The keys that do something here, digits apart."""
        names = {"u": "undo", "b": "back", "n": "next", "s": "skip", "c": "comment", "f": "flag"}
        if len(self.desk.answers) > 1:
            names["d"] = "diff"
        if self.desk.task_of(self.desk.number).reference:
            names["r"] = "reference"
        return {key: word(name, self.language) for key, name in names.items()}

    def _key_names(self) -> list[str]:
        return [*(option.key for option in self.desk.field.options), *self._keys(), "?", "q"]

    def _feedback(self) -> str:
        known = self.desk.feedback
        return "" if known is None else self.known_text(known)

    def known_text(self, known: Calibration) -> str:
        """What a grader is told about a calibration item."""
        told = [
            f"{say(dimension.name, self.language)} {known.scores[dimension.id]}"
            for dimension in self.desk.rubric.dimensions
            if dimension.id in known.scores
        ]
        reason = printable(known.reason)
        return word("known", self.language, scores=", ".join(told), reason=reason)

    def handbook(self, scrolling: Mapping[str, str] | None = None, arrows: bool = True) -> str:
        """The whole rubric, and what the keys do; `scrolling` are keys of the form itself."""
        rubric, language = self.desk.rubric, self.language
        lines = [say(rubric.title, language), "", say(rubric.rule, language), ""]
        for dimension in rubric.dimensions:
            lines.append(say(dimension.name, language))
            lines.extend(
                f"  {point.score}  {say(point.text, language)}" for point in dimension.points
            )
            lines.append("")
        keys = {**self._all_keys(arrows), **(scrolling or {}), "?": "help", "q": "quit"}
        longest = max(map(len, keys))
        for key, name in keys.items():
            lines.append(f"  {key.ljust(longest)}  {word(f'{name}_help', language)}")
        return "\n".join(lines)

    def _all_keys(self, arrows: bool) -> dict[str, str]:
        """Key → word, of those that do something on any screen of the session."""
        digits = sorted({option.key for field in self.desk.asked for option in field.options})
        keys = {f"{digits[0]}–{digits[-1]}": "score"}
        keys |= {"↑ ↓": "focus", "← →": "turn"} if arrows else {}
        names = ("undo", "back", "next", "skip", "comment", "flag", "diff", "reference")
        keys |= dict(zip("ubnscfdr", names, strict=True))
        if all(len(screen) < 2 for screen in self.desk.screens):
            del keys["d"]
        return keys


def _pace(desk: Desk[Any], language: str) -> list[str]:
    """In steps that do not jump from item to item, and only once there is a pace."""
    progress = desk.progress()
    known = progress.per_minute is not None and progress.minutes_left is not None
    if not known or progress.done + progress.skipped < STEADY:
        return [word("done_count", language, done=progress.done)]
    told = [word("pace", language, pace=_coarse(progress.per_minute or 0.0))]
    if progress.open:
        minutes = progress.minutes_left or 0.0
        step = 5 if minutes >= 20 else 1
        told.append(word("left", language, minutes=max(1, step * round(minutes / step))))
    return told


def _coarse(pace: float) -> str:
    """Items a minute, as finely as anybody plans by.

    >>> [_coarse(pace) for pace in (0.26, 0.9, 1.6, 3.4, 12.1)]
    ['0.3', '1', '1.5', '3', '12']
    """
    step = 1 if pace >= 3 else 0.5 if pace >= 0.75 else 0.1
    return f"{step * round(pace / step):.1f}".removesuffix(".0")
