"""The leaderboard's page as a folder that can be published: HTML, and the figures as files."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment

from polyassay.report.boards.page import BoardPage
from polyassay.report.comparing.gaps import BETWEEN
from polyassay.report.site import STATIC, page_environment
from polyassay.report.tables import Share, csv_text

JSON = "boards.json"


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

    @property
    def shares(self) -> list[Share]:
        """All that is drawn, for one axis: lengths of two boards mean the same."""
        return [share for page in self.pages for share in page.shares or ()]


def boards_html(environment: Environment, boards: Boards) -> str:
    return environment.get_template("boards.html").render(boards=boards, between=BETWEEN, root="")


def write_boards(boards: Boards, as_json: Any, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in STATIC:
        source = resources.files("polyassay.report") / "static" / name
        with resources.as_file(source) as path:
            shutil.copyfile(path, folder / name)
    text = boards_html(page_environment(), boards)
    (folder / "index.html").write_text(text, encoding="utf-8", errors="replace")
    (folder / JSON).write_text(json.dumps(as_json, indent=1) + "\n", encoding="utf-8")
    for number, page in enumerate(boards.pages, 1):
        (folder / f"board-{number}.csv").write_text(csv_text(page.table()), encoding="utf-8")
