"""One grader at work: what is in view, and what each key does. Screens only draw it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise
from statistics import median

from polyassay.model import Task
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import Place, Sheet, live, sheets
from polyassay.store.scores import Event, EventKind, Item

PAUSE = 300.0  # seconds between key presses from which on a grader was away

TaskKey = tuple[str, str]  # suite, task


@dataclass(frozen=True, slots=True)
class ScoreField:
    """Where the next score goes."""

    side: int  # which of the answers on the screen
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Progress:
    done: int  # screens that are graded or skipped
    total: int
    skipped: int
    per_minute: float | None  # screens; none until two are done
    minutes_left: float | None


class Grading:
    """Every change is handed to `record` first, which returns when it is durable."""

    def __init__(
        self,
        rubric: Rubric,
        grader: str,
        session: str,
        tasks: Mapping[TaskKey, Task],
        items: Sequence[Item],
        events: Sequence[Event],
        record: Callable[[Event], Event],
    ) -> None:
        self.rubric = rubric
        self.screens = [tuple(group) for _, group in groupby(items, key=lambda i: i.screen)]
        self._grader, self._session = grader, session
        self._tasks = tasks
        self._events = list(events)
        self._record = record
        self._sheets = sheets(self._events)
        self._screen = 0
        self._cell = 0
        self._go_to_open(0)

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

    @property
    def task(self) -> Task:
        key = self.answers[0].key
        return self._tasks[key.suite, key.task]

    @property
    def prompt(self) -> str:
        prompts = self.task.prompts
        return prompts.get(self.answers[0].key.prompt_language) or next(iter(prompts.values()), "")

    @property
    def cells(self) -> list[ScoreField]:
        """Dimension by dimension, so that two answers are compared on one thing at a time."""
        return [
            ScoreField(side, dimension)
            for dimension in self.rubric.dimensions
            for side in range(len(self.answers))
        ]

    @property
    def cell(self) -> ScoreField:
        return self.cells[self._cell]

    def sheet(self, item: Item) -> Sheet:
        return self._sheets.get(_place(item), Sheet())

    # What keys do.

    def score(self, points: int) -> bool:
        """Gives points where the focus is and moves on; False where there are no such points."""
        dimension = self.cell.dimension
        if not dimension.low <= points <= dimension.high:
            return False
        self._add(EventKind.SCORE, dimension=dimension.id, score=points)
        self._move_on()
        return True

    def skip(self) -> None:
        for side in range(len(self.answers)):
            if not self._is_done(self.answers[side]):
                self._add(EventKind.SKIP, side=side)
        self._go_to_open(self._screen)

    def comment(self, text: str) -> None:
        self._add(EventKind.COMMENT, dimension=self.cell.dimension.id, text=text)

    def flag(self) -> None:
        self._add(EventKind.FLAG)

    def undo(self) -> bool:
        """Takes the last key press back and goes where it was; False where there is none."""
        mine = [event for event in live(self._events) if event.session == self._session]
        if not mine:
            return False
        last = mine[-1]
        place = (last.key, last.showing)
        self._screen, side = next(
            (number, side)
            for number, screen in enumerate(self.screens)
            for side, item in enumerate(screen)
            if _place(item) == place
        )
        self._add(EventKind.UNDO, side=side, undoes=last.id)
        self._cell = next(
            (
                index
                for index, cell in enumerate(self.cells)
                if cell.side == side and cell.dimension.id == last.dimension
            ),
            0,
        )
        return True

    def back(self) -> None:
        self._show(max(0, self._screen - 1))

    def forward(self) -> None:
        """To the next screen, even if this one is not done; past the last one: what is open."""
        if self._screen + 1 < len(self.screens):
            self._show(self._screen + 1)
        else:
            self._go_to_open(0)

    def focus(self, step: int) -> None:
        """Up and down the dimensions."""
        self._cell = (self._cell + step) % len(self.cells)

    def take_up_skipped(self) -> bool:
        """To the first screen that was skipped; False where there is none."""
        for number, screen in enumerate(self.screens):
            if any(self.sheet(item).skipped for item in screen):
                self._show(number)
                return True
        return False

    def progress(self) -> Progress:
        done = sum(all(map(self._is_settled, screen)) for screen in self.screens)
        skipped = sum(any(self.sheet(i).skipped for i in screen) for screen in self.screens)
        seconds = self._seconds_a_screen()
        left = len(self.screens) - done
        return Progress(
            done,
            len(self.screens),
            skipped,
            60 / seconds if seconds else None,
            left * seconds / 60 if seconds else None,
        )

    # How it is done.

    def _add(
        self,
        kind: EventKind,
        side: int | None = None,
        dimension: str = "",
        score: int | None = None,
        text: str = "",
        undoes: int | None = None,
    ) -> None:
        item = self.answers[self.cell.side if side is None else side]
        event = Event(
            kind,
            self._grader,
            self.rubric.name,
            item.key,
            item.showing,
            dimension,
            score,
            text,
            undoes,
            self._session,
        )
        self._events.append(self._record(event))
        if kind is EventKind.UNDO:
            place = _place(item)
            mine = [e for e in self._events if (e.key, e.showing) == place or e.undoes]
            self._sheets[place] = sheets(mine).get(place, Sheet())
        else:
            self._sheets.setdefault(_place(item), Sheet()).take(event)

    def _is_scored(self, item: Item, dimension: Dimension) -> bool:
        return dimension.id in self.sheet(item).scores

    def _is_done(self, item: Item) -> bool:
        return all(self._is_scored(item, dimension) for dimension in self.rubric.dimensions)

    def _is_settled(self, item: Item) -> bool:
        return self.sheet(item).skipped or self._is_done(item)

    def _move_on(self) -> None:
        """To the next dimension without a score; after the last, to the next open screen."""
        count = len(self.cells)
        for step in range(1, count):
            index = (self._cell + step) % count
            cell = self.cells[index]
            if not self._is_scored(self.answers[cell.side], cell.dimension):
                self._cell = index
                return
        self._go_to_open(self._screen)

    def _go_to_open(self, start: int) -> None:
        """To the first screen from here on that is not done, else to the first of all."""
        count = len(self.screens)
        for number in [*range(start, count), *range(start)]:
            if not all(map(self._is_settled, self.screens[number])):
                self._show(number)
                return
        self._screen = count

    def _show(self, number: int) -> None:
        self._screen = number
        self._cell = next(
            (
                index
                for index, cell in enumerate(self.cells)
                if not self._is_scored(self.answers[cell.side], cell.dimension)
            ),
            0,
        )

    def _seconds_a_screen(self) -> float | None:
        """The median time between one screen's last key press and the next one's."""
        last: dict[Place, datetime] = {}
        for event in self._events:
            if event.session == self._session and event.kind in (EventKind.SCORE, EventKind.SKIP):
                last[event.key, event.showing] = datetime.fromisoformat(event.at)
        ends = sorted(
            max(last[_place(item)] for item in screen)
            for screen in self.screens
            if all(_place(item) in last for item in screen)
        )
        gaps = [(after - before).total_seconds() for before, after in pairwise(ends)]
        awake = [gap for gap in gaps if gap < PAUSE]
        return median(awake) if awake else None


def _place(item: Item) -> Place:
    return item.key, item.showing
