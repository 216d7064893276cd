"""A grader's desk: what is in view, and what each key does. Terminals and pages only draw it.

Two kinds of session share it: scores (`scoring.py`) and preferences (`preferring.py`). What a kind
asks on a screen is a list of fields; a digit answers the field in focus.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise
from statistics import median
from typing import Generic, Protocol, TypeVar

from polyassay.model import Task
from polyassay.rubric.rubrics import Rubric, Words
from polyassay.rubric.sheets import Undoable, live
from polyassay.store.graders import Calibration
from polyassay.store.scores import Item

PAUSE = 300.0  # seconds between key presses from which on a grader was away

TaskKey = tuple[str, str]  # suite, task


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a field."""

    key: str  # the digit that gives it
    label: Words  # a few words
    text: Words  # the whole wording


@dataclass(frozen=True, slots=True)
class Field:
    """Something that is asked about a screen."""

    side: int | None  # which of the answers it is about; none: both
    dimension: str
    name: Words
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    done: int  # screens that are graded; skipped ones are not among them
    total: int
    skipped: int
    per_minute: float | None  # screens; none until two are done
    minutes_left: float | None

    @property
    def open(self) -> int:
        return self.total - self.done - self.skipped


class TimedPress(Undoable, Protocol):
    """What the desk needs to know of a key press of either kind."""

    @property
    def session(self) -> str | None: ...
    @property
    def at(self) -> str: ...
    @property
    def dimension(self) -> str: ...


Press = TypeVar("Press", bound=TimedPress)


class Desk(ABC, Generic[Press]):
    """Every change is handed to `record` first, which returns when it is durable."""

    kind: str  # of session

    def __init__(
        self,
        rubric: Rubric,
        grader: str,
        session: str,
        tasks: Mapping[TaskKey, Task],
        items: Sequence[Item],
        load: Callable[[], Sequence[Press]],
        record: Callable[[Press], Press],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`load` reads this grader's key presses: another window may have added some."""
        self.rubric = rubric
        self.screens = [tuple(group) for _, group in groupby(items, key=lambda i: i.screen)]
        self._grader, self._session = grader, session
        self._tasks = tasks
        self._load, self._record, self._clock = load, record, clock
        self._events: list[Press] = []
        self._screen = 0
        self._focus = 0
        self._since = clock()
        self.refresh()
        self._go_to_open(0)

    def refresh(self) -> None:
        """Takes what another window of the same grader has recorded."""
        self._events = list(self._load())
        self._read_sheets()

    # What is in view.

    @property
    def finished(self) -> bool:
        """Nothing is in view, because everything is graded or skipped."""
        return self._screen >= len(self.screens)

    @property
    def number(self) -> int:
        return self._screen

    @property
    def answers(self) -> tuple[Item, ...]:
        return self.screens[self._screen]

    def task_of(self, screen: int) -> Task:
        key = self.screens[screen][0].key
        return self._tasks[key.suite, key.task]

    def prompt_of(self, screen: int) -> str:
        prompts = self.task_of(screen).prompts
        language = self.screens[screen][0].key.prompt_language
        return prompts.get(language) or next(iter(prompts.values()), "")

    @property
    def field(self) -> Field:
        return self.fields[self._focus]

    @property
    def done(self) -> bool:
        """Every field of the screen in view has its answer."""
        return all(self.given(field) is not None for field in self.fields)

    @property
    def feedback(self) -> Calibration | None:
        """What was known about the answer in view, once it is scored; only in calibration."""
        return self.known_of(self._screen) if self.done else None

    def known_of(self, screen: int) -> Calibration | None:
        """What a grader is told about a screen after scoring it."""
        return None

    @property
    @abstractmethod
    def asked(self) -> list[Field]:
        """What is asked about an answer, or about both: the same on every screen."""

    @property
    @abstractmethod
    def fields(self) -> list[Field]:
        """What is asked about the screen in view."""

    @abstractmethod
    def given(self, field: Field) -> str | None:
        """The key that was given for a field of the screen in view."""

    @abstractmethod
    def comment_on(self, field: Field) -> str: ...

    @abstractmethod
    def flagged(self, screen: int) -> bool: ...

    @abstractmethod
    def skipped(self, screen: int) -> bool: ...

    @abstractmethod
    def settled(self, screen: int) -> bool:
        """Graded or skipped."""

    # What keys do.

    def give(self, key: str) -> bool:
        """Answers the field in focus and moves on; False where it has no such answer."""
        if key not in {option.key for option in self.field.options}:
            return False
        self._give(self.field, key)
        self._move_on()
        return True

    @abstractmethod
    def skip(self) -> None: ...

    @abstractmethod
    def comment(self, text: str) -> None: ...

    @abstractmethod
    def flag(self) -> None: ...

    def undo(self) -> bool:
        """Takes the last key press back and goes where it was; False where there is none."""
        last = self._last_press()
        if last is None:
            return False
        self.show(self._screen_of(last))
        self._take_back(last)
        self._focus = next(
            (n for n, field in enumerate(self.fields) if self._is_about(last, field)), 0
        )
        return True

    def _last_press(self) -> Press | None:
        mine = [event for event in live(self._events) if event.session == self._session]
        return mine[-1] if mine else None

    def back(self) -> None:
        self.show(max(0, self._screen - 1))

    def forward(self) -> None:
        """To the next screen, even if this one is not done; past the last one: what is open."""
        if self._screen + 1 < len(self.screens):
            self.show(self._screen + 1)
        else:
            self._go_to_open(0)

    def focus(self, step: int) -> None:
        """Up and down the fields."""
        self._focus = (self._focus + step) % len(self.fields)

    def focus_on(self, number: int) -> None:
        """To one field; a page's click goes there."""
        self._focus = number % len(self.fields)

    def take_up_skipped(self) -> bool:
        """To the first screen that was skipped; False where there is none."""
        for number in range(len(self.screens)):
            if self.skipped(number):
                self.show(number)
                return True
        return False

    def progress(self) -> Progress:
        numbers = range(len(self.screens))
        settled = [number for number in numbers if self.settled(number)]
        skipped = sum(map(self.skipped, settled))
        seconds = self._seconds_a_screen()
        left = len(self.screens) - len(settled)
        return Progress(
            len(settled) - skipped,
            len(self.screens),
            skipped,
            60 / seconds if seconds else None,
            left * seconds / 60 if seconds else None,
        )

    # What a kind of session fills in.

    @abstractmethod
    def _read_sheets(self) -> None: ...

    @abstractmethod
    def _give(self, field: Field, key: str) -> None: ...

    @abstractmethod
    def _take_back(self, event: Press) -> None: ...

    @abstractmethod
    def _screen_of(self, event: Press) -> int: ...

    @abstractmethod
    def _is_about(self, event: Press, field: Field) -> bool: ...

    # How it is done.

    def _keep(self, event: Press) -> None:
        """Durable first, in view after."""
        self._events.append(self._record(event))
        self._since = self._clock()
        self._read_sheets()

    def _looked(self) -> float:
        return round(self._clock() - self._since, 3)

    def _move_on(self) -> None:
        """To the next field without an answer; after the last, to the next open screen."""
        fields = self.fields
        for step in range(1, len(fields)):
            index = (self._focus + step) % len(fields)
            if self.given(fields[index]) is None:
                self._focus = index
                return
        if self.feedback is None:
            self._go_to_open(self._screen)

    def _go_to_open(self, start: int) -> None:
        """To the first screen from here on that is not done, else to the first of all."""
        count = len(self.screens)
        for number in [*range(start, count), *range(start)]:
            if not self.settled(number):
                self.show(number)
                return
        self._screen = count

    def show(self, number: int) -> None:
        """Brings a screen into view, its first open field in focus."""
        self._screen = number
        self._since = self._clock()
        open_fields = (n for n, field in enumerate(self.fields) if self.given(field) is None)
        self._focus = next(open_fields, 0)

    def _seconds_a_screen(self) -> float | None:
        """The median time between one screen's last key press and the next one's."""
        last: dict[int, datetime] = {}
        for event in self._events:
            if event.session == self._session and event.kind in ("score", "choice", "skip"):
                last[self._screen_of(event)] = datetime.fromisoformat(event.at)
        ends = sorted(at for screen, at in last.items() if self.settled(screen))
        gaps = [(after - before).total_seconds() for before, after in pairwise(ends)]
        awake = [gap for gap in gaps if gap < PAUSE]
        return median(awake) if awake else None
