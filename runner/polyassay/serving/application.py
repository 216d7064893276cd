"""The web application: names of pages in, pages out."""

import mimetypes
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader

from polyassay.errors import PolyAssayError
from polyassay.model import Outcome
from polyassay.report.boards.ranking import all_boards
from polyassay.report.boards.writing import boards_html
from polyassay.report.site import STATIC, Served, page_environment
from polyassay.report.views import BEST_FIRST
from polyassay.serving.run_pages import HOME, Progress, RunPages
from polyassay.store import Run, Store
from polyassay.store.figures import VerdictFigures
from polyassay.web.messages import Request, Response, as_json, refusal

HERE = Served("./")
OWN = ("live.css", "live.js")
KEPT = 4  # runs whose pages are kept ready
TYPES = {".js": "text/javascript", ".csv": "text/csv", ".md": "text/markdown"}


class StoreApplication:
    """All runs of a store. Requests come in threads; none of them changes anything."""

    def __init__(self, store: Store, home: Path) -> None:
        self._store, self._home = store, home
        self._pages: OrderedDict[str, RunPages] = OrderedDict()
        self._complete: dict[str, Progress] = {}
        self._ranked: tuple[object, str] | None = None  # what the leaderboard was made of, and it
        self._lock, self._ranking = threading.Lock(), threading.Lock()
        self._environment = page_environment(HERE)
        packages = ("polyassay.serving", "polyassay.report")
        self._environment.loader = ChoiceLoader([PackageLoader(name) for name in packages])

    def __call__(self, request: Request) -> Response:
        if request.method != "GET":
            return refusal(405, "Nothing can be changed here.")
        try:
            return self._answer(request.path)
        except PolyAssayError as error:
            return self._page("message.html", 404, title="Not yet", error=error)

    def _answer(self, path: str) -> Response:
        if path in ("", "index.html"):
            listed = self._listed()
            met = [
                outcome for outcome in BEST_FIRST if any(outcome in p.outcomes for _, p in listed)
            ]
            return self._page("runs.html", title="Runs", runs=listed, met=met)
        if path == "state":
            return as_json({"runs": [_state(run, done) for run, done in self._listed()]})
        if path == "leaderboard.html":
            return Response(self._leaderboard().encode("utf-8", "replace"), "text/html")
        if path in (*STATIC, *OWN):
            return _static(path)
        folder, _, rest = path.partition("/")
        run, _, name = rest.partition("/")
        if folder == "runs" and run and "/" in rest:
            return self._of_run(run, name or "index.html")
        return refusal(404, "There is nothing here.")

    def _leaderboard(self) -> str:
        """Of all complete runs; made again when one has been added, named or finished."""
        listed = self._listed()
        seen = tuple((run.id, run.label, progress.judged) for run, progress in listed)
        with self._ranking:
            if self._ranked is None or self._ranked[0] != seen:
                boards = all_boards(self._store, [run for run, done in listed if done.complete])
                self._ranked = seen, boards_html(self._environment, boards)
            return self._ranked[1]

    def _of_run(self, named: str, name: str) -> Response:
        run = self._store.run(named)
        ((_, progress),) = self._progress([run])
        pages = self._run_pages(run.id)
        if name == "state":
            shown = pages.judged_when_asked(progress)
            return as_json(_state(run, progress) | {"shown": shown})
        if not progress.judged and name in STATIC:
            return _static(name)
        if not progress.judged and name == "index.html":
            waiting = Served(HOME, 0, progress.candidates)
            return self._page("waiting.html", run=run, served=waiting)
        content = pages.file(name, progress) if progress.judged else None
        if content is None:
            return refusal(404, "There is nothing here.")
        return Response(content, _type(name))

    def _run_pages(self, run: str) -> RunPages:
        with self._lock:
            pages = self._pages.pop(run, None) or RunPages(self._store, run, self._home)
            self._pages[run] = pages
            while len(self._pages) > KEPT:
                self._pages.popitem(last=False)
            return pages

    def _listed(self) -> list[tuple[Run, Progress]]:
        return self._progress(self._store.runs())

    def _progress(self, runs: Sequence[Run]) -> list[tuple[Run, Progress]]:
        """How far runs are; those that were complete when they were last looked at stay so."""
        going = [run.id for run in runs if run.id not in self._complete]
        counted = VerdictFigures(self._store).outcomes(*going) if going else {}
        found = []
        for run in runs:
            progress = self._complete.get(run.id) or _progress_of(run, counted[run.id])
            if progress.complete and Outcome.HARNESS_ERROR not in progress.outcomes:
                self._complete[run.id] = progress
            found.append((run, progress))
        return found

    def _page(self, template: str, status: int = 200, **values: Any) -> Response:
        text = self._environment.get_template(template).render(root="", **values)
        return Response(text.encode("utf-8", "replace"), "text/html", status)


def _progress_of(run: Run, outcomes: Mapping[Outcome, int]) -> Progress:
    candidates = sum(run.provenance["candidates"]["tools"].values())
    ordered = {outcome: outcomes[outcome] for outcome in BEST_FIRST if outcome in outcomes}
    return Progress(sum(outcomes.values()), candidates, ordered)


def _state(run: Run, progress: Progress) -> dict[str, Any]:
    return {
        "run": run.id,
        "judged": progress.judged,
        "candidates": progress.candidates,
        "outcomes": {
            outcome.replace("_", " "): count for outcome, count in progress.outcomes.items()
        },
    }


def _static(name: str) -> Response:
    package = "polyassay.serving" if name in OWN else "polyassay.report"
    return Response((resources.files(package) / "static" / name).read_bytes(), _type(name))


def _type(name: str) -> str:
    ending = PurePosixPath(name).suffix
    return TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
