"""The pages of one run, made when they are asked for, and again when verdicts have come."""

import re
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from polyassay.measures.results import load
from polyassay.model import Outcome
from polyassay.report.measures.page import measures_pages
from polyassay.report.rubric import grades
from polyassay.report.site import Served, page_environment, task_renderer, write_site
from polyassay.report.site_of_run import site_of_run
from polyassay.report.task_pages import task_page
from polyassay.report.views import endings
from polyassay.store import Store

HOME = "../../"  # from a run's first page to the list of runs
SOONEST = 2.0  # seconds between two makings of a run's pages, or five times what one takes
LONGEST = 60.0  # then people may have graded, or a suite been checked, and pages are made again


@dataclass(frozen=True, slots=True)
class Progress:
    judged: int
    candidates: int
    outcomes: Mapping[Outcome, int]

    @property
    def complete(self) -> bool:
        return self.judged >= self.candidates

    @property
    def endings(self) -> list[tuple[str, str, int]]:
        return endings(self.outcomes)


@dataclass(frozen=True, slots=True)
class _Made:
    files: Mapping[str, bytes]  # all but the tasks' pages, by name
    task: Callable[[int], str | None]  # a task's page, by its number
    judged: int
    at: float
    took: float


class RunPages:
    def __init__(
        self, store: Store, run: str, home: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._run, self._home, self._clock = store, run, home, clock
        self._lock = threading.Lock()
        self._made: _Made | None = None

    def judged_when_asked(self, progress: Progress) -> int:
        """How many verdicts a page would be made of, if it were asked for now."""
        made = self._made
        return made.judged if made and not self._is_stale(made, progress) else progress.judged

    def file(self, name: str, progress: Progress) -> bytes | None:
        """A file of the report by its name; None where it has no such file."""
        made = self._current(progress)
        if name in made.files:
            return made.files[name]
        found = re.fullmatch(r"tasks/([0-9]{1,9})[.]html", name)
        text = made.task(int(found[1])) if found else None
        return None if text is None else text.encode("utf-8", "replace")

    def _current(self, progress: Progress) -> _Made:
        with self._lock:  # the second of two requests gets what the first one has made
            if self._made is None or self._is_stale(self._made, progress):
                self._made = self._make(progress)
            return self._made

    def _is_stale(self, made: _Made, progress: Progress) -> bool:
        age = self._clock() - made.at
        if made.judged != progress.judged:
            return age > max(SOONEST, 5 * made.took)
        return age > max(LONGEST, 20 * made.took)

    def _make(self, progress: Progress) -> _Made:
        started = self._clock()
        results = load(self._store, self._store.run(self._run))
        site, pages = site_of_run(self._store, results, self._home)
        served = Served(HOME, results.judged, progress.candidates)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            measures = measures_pages(self._store, results, pages)
            write_site(site, (), folder, measures, served)
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file()
            }
        by_number = {number: key for key, number in pages.items()}
        given = grades(self._store, results)
        render = task_renderer(site, page_environment(served))

        def task(number: int) -> str | None:
            key = by_number.get(number)
            if key is None:
                return None
            return render(task_page(self._store, results, key, number, given))

        now = self._clock()
        return _Made(files, task, results.judged, now, now - started)
