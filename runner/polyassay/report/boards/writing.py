"""The leaderboard's page as a folder that can be published: HTML, and the figures as files."""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment

from polyassay.errors import PolyAssayError
from polyassay.report.boards.page import BoardPage
from polyassay.report.comparing.gaps import BETWEEN
from polyassay.report.site import STATIC, page_environment
from polyassay.report.tables import Share, csv_text

JSON = "boards.json"
_CSV = re.compile(r"[A-Za-z0-9_-]+-[0-9a-f]{8}\.csv")


@dataclass(frozen=True, slots=True)
class Boards:
    """All that one page shows."""

    pages: Sequence[BoardPage]
    taken: Sequence[str]  # a line a run, with its tools
    left_out: Sequence[str]
    tools: Sequence[str]  # whose places decide their colours
    prompt_language: str = ""  # the only one that counts, where one was chosen
    contact: str = ""  # where others send their runs
    title: str = "Leaderboard"
    made: str = ""  # the day on which a page to publish was written

    @property
    def shares(self) -> list[Share]:
        """All that is drawn, for one axis: lengths of two boards mean the same."""
        return [share for page in self.pages for share in page.shares or ()]


def boards_html(environment: Environment, boards: Boards) -> str:
    return environment.get_template("boards.html").render(boards=boards, between=BETWEEN, root="")


def write_boards(boards: Boards, as_json: Any, folder: Path) -> None:
    """In the place of what was written there before; of other files none is touched."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _written_before(folder).difference(page.csv for page in boards.pages):
        (folder / name).unlink(missing_ok=True)
    for name in STATIC:
        source = resources.files("polyassay.report") / "static" / name
        with resources.as_file(source) as path:
            shutil.copyfile(path, folder / name)
    text = boards_html(page_environment(), boards)
    (folder / "index.html").write_text(text, encoding="utf-8", errors="replace")
    (folder / JSON).write_text(json.dumps(as_json, indent=1) + "\n", encoding="utf-8")
    for page in boards.pages:
        (folder / page.csv).write_text(csv_text(page.table()), encoding="utf-8")


def _written_before(folder: Path) -> set[str]:
    """The CSV files of an earlier leaderboard there; refuses where another page is."""
    try:
        value = json.loads((folder / JSON).read_bytes())
        boards = [*value["boards"], value.get("joint") or {}]
        names = {name for board in boards if _CSV.fullmatch(name := board.get("csv", ""))}
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        if (folder / "index.html").exists():
            raise PolyAssayError(
                f"{folder} has an index.html that is no leaderboard.",
                hint="Name another folder with -o, or move that page away.",
            ) from None
        return set()
    return names
