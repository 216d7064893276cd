"""A static site that opens from a file, offline: a first page, and one page a task."""

import base64
import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from polyassay.model import Outcome
from polyassay.report import charts
from polyassay.report.highlight import highlight
from polyassay.report.measures.page import MeasuresPage
from polyassay.report.summary import markdown_summary
from polyassay.report.tables import Cell, Share, is_number, plain
from polyassay.report.views import Site, TaskPage, TaskRow, ToolResult
from polyassay.shown_text import clean
from polyassay.wording import counted

STATIC = ("style.css", "task_list.js", "app.js")
_MANY_TASKS = 2500  # from here on the list shows less of each prompt, so that it stays small


def write_site(
    site: Site,
    pages: Iterable[TaskPage],
    folder: Path,
    measures: Sequence[MeasuresPage] = (),
) -> None:
    """Writes all of it into `folder`; pages are written as they come."""
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    for name in STATIC:
        source = resources.files("polyassay.report") / "static" / name
        with resources.as_file(source) as path:
            shutil.copyfile(path, folder / name)
    environment = _environment()
    environment.globals["study"] = (folder / "study.html").is_file()  # a study's own page
    _write(folder / "tasks.js", _task_data(site))
    first = environment.get_template("index.html")
    _write(
        folder / "index.html",
        first.render(site=site, measures=measures, summary=markdown_summary(site)),
    )
    if measures:
        text = environment.get_template("measures.html").render(site=site, measures=measures)
        _write(folder / "measures.html", text)
    template = environment.get_template("task.html")
    last = max((row.page for row in site.tasks), default=0)
    for page in pages:
        text = template.render(site=site, page=page, last=last)
        _write(folder / "tasks" / f"{page.page}.html", text)


def write_single_file(site: Site, pages: Iterable[TaskPage], path: Path) -> None:
    """The same in one file, to be sent: tasks are in it as templates."""
    environment = _environment()
    environment.globals |= {"study": False, "measures": ()}
    body = environment.get_template("task_body.html")
    last = max((row.page for row in site.tasks), default=0)
    found = [
        (page.page, Markup(body.render(site=site, page=page, last=last, inline=True)))  # noqa: S704
        for page in pages
    ]
    style = _static("style.css")
    scripts = [_task_data(site).replace("<", "\\u003c"), *(_static(name) for name in STATIC[1:])]
    inline = {
        "style": Markup(style),  # noqa: S704 - ours
        "style_hash": _hash(style),
        "scripts": [Markup(script) for script in scripts],  # noqa: S704 - ours, and JSON
        "script_hashes": Markup(" ".join(map(_hash, scripts))),  # noqa: S704
        "pages": found,
    }
    text = environment.get_template("index.html").render(
        site=site, inline=inline, summary=markdown_summary(site)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, text)


def _static(name: str) -> str:
    return (resources.files("polyassay.report") / "static" / name).read_text("utf-8")


def _hash(text: str) -> Markup:
    """How a content security policy names an inline script or style."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()).decode()
    return Markup(f"'sha256-{digest}'")  # noqa: S704


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("polyassay.report"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"charts": charts, "Outcome": Outcome, "inline": None}
    environment.filters |= {
        "code": highlight,
        "plain": plain,
        "words": lambda text: str(text).replace("_", " "),
        "is_number": is_number,
        "key": _key,
        "percent": Share.percent,
        "counted": counted,
    }
    return environment


def _finalize(value: object) -> object:
    """Everything that a page shows, whoever wrote it, is cleaned; what is HTML stays so."""
    if isinstance(value, Markup):
        return Markup(clean(value))  # noqa: S704 - was escaped before
    return clean(value) if isinstance(value, str) else value


def _key(cell: Cell) -> str:
    """What a column is sorted by."""
    return str(getattr(cell, "value", getattr(cell, "count", cell)) if is_number(cell) else cell)


def _task_data(site: Site) -> str:
    """The list of tasks, as compact as it gets; loaded by a <script>, as fetch() needs a server."""
    suites = sorted({row.suite for row in site.tasks})
    prompt = 72 if len(site.tasks) <= _MANY_TASKS else 36
    outcomes = list(Outcome)

    def short(text: str) -> str:
        line = " ".join(text.split())
        return line if len(line) <= prompt else line[: prompt - 1] + "…"

    def result(of: ToolResult | None) -> list[float] | None:
        if of is None:
            return None
        place = outcomes.index(of.outcome)
        return [place, round(of.ratio, 3), of.passed, of.total, of.solving, of.samples]

    def row(of: TaskRow) -> list[Any]:
        head = [of.page, of.task, suites.index(of.suite), of.language, of.prompt_language]
        return [*head, short(of.prompt), [result(each) for each in of.results]]

    head = site.head_to_head
    data = {
        "tools": site.tools,
        "pair": [site.tools.index(head.a), site.tools.index(head.b)] if head else None,
        "suites": suites,
        "outcomes": [outcome.value.replace("_", " ") for outcome in outcomes],
        "rows": [row(each) for each in site.tasks],
    }
    text = clean(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return f"window.POLYASSAY={text};\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace")
