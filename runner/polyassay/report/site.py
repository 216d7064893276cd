"""A static site that opens from a file, offline: a first page, and one page a task."""

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from polyassay.model import Outcome
from polyassay.report import charts
from polyassay.report.highlight import highlight
from polyassay.report.measures.page import MeasuresPage
from polyassay.report.sections.glossary import explain
from polyassay.report.sections.page_tables import PAGE_TABLES
from polyassay.report.summary import markdown_summary
from polyassay.report.tables import (
    Cell,
    Share,
    csv_address,
    ends_text,
    is_number,
    per_cent,
    plain,
    value_text,
)
from polyassay.report.tasks.listed import task_scripts
from polyassay.report.tasks.writing import Writer, write_pages
from polyassay.report.views import Site, TaskPage
from polyassay.shown_text import clean
from polyassay.texts import say, speaking, spoken
from polyassay.texts.judged import retold
from polyassay.wording import counted

STATIC = ("style.css", "selection.js", "task_list.js", "app.js")


@dataclass(frozen=True, slots=True)
class Served:
    """What a page says about its run where `polyassay serve` shows it."""

    home: str  # the way from the first page to the list of runs
    judged: int = 0  # verdicts that the page was made of
    candidates: int = 0


def write_site(
    site: Site,
    pages: Iterable[TaskPage],
    folder: Path,
    measures: Sequence[MeasuresPage] = (),
    served: Served | None = None,
) -> None:
    """Writes all of it into `folder`; pages are written as they come."""
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    for name in STATIC:
        source = resources.files("polyassay.report") / "static" / name
        with resources.as_file(source) as path:
            shutil.copyfile(path, folder / name)
    environment = page_environment(served)
    environment.globals["study"] = (folder / "study.html").is_file()  # a study's own page
    for number, script in enumerate(task_scripts(site)):
        _write(folder / (f"tasks-{number}.js" if number else "tasks.js"), script)
    first = environment.get_template("index.html")
    _write(
        folder / "index.html",
        first.render(site=site, measures=measures, summary=markdown_summary(site)),
    )
    if measures:
        text = environment.get_template("measures.html").render(site=site, measures=measures)
        _write(folder / "measures.html", text)
    study = bool(environment.globals["study"])
    few = replace(site, tasks=())  # of which a task's page needs nothing
    write_pages(pages, partial(_page_writer, folder / "tasks", few, served, study, spoken()))


def _page_writer(
    folder: Path, site: Site, served: Served | None, study: bool, language: str
) -> Writer:
    """Made in every process that writes pages."""
    with speaking(language):
        environment = page_environment(served)
    environment.globals["study"] = study
    render = task_renderer(site, environment)

    def write(page: TaskPage) -> None:
        with speaking(language):
            _write(folder / f"{page.page}.html", render(page))

    return write


def task_renderer(site: Site, environment: Environment) -> Callable[[TaskPage], str]:
    template = environment.get_template("task.html")
    return lambda page: template.render(site=site, page=page, last=site.last_page)


def write_single_file(site: Site, pages: Iterable[TaskPage], path: Path) -> None:
    """The same in one file, to be sent: tasks are in it as templates."""
    environment = page_environment()
    environment.globals["measures"] = ()
    body = environment.get_template("task_body.html")
    found = [
        (page.page, Markup(body.render(site=site, page=page, last=site.last_page, inline=True)))  # noqa: S704
        for page in pages
    ]
    style = _static("style.css")
    (data,) = task_scripts(site, at_once=True)
    scripts = [data.replace("<", "\\u003c"), *(_static(name) for name in STATIC[1:])]
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


def html_environment(package: str) -> Environment:
    """Renders the templates of a package: escaped, and cleaned."""
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"plain": plain, "is_figure": _is_figure, "csv_address": csv_address}
    return environment


def page_environment(served: Served | None = None) -> Environment:
    """What all pages are rendered with, those of a server and those of a file."""
    environment = html_environment("polyassay.report")
    environment.globals |= {
        "charts": charts,
        "Outcome": Outcome,
        "inline": None,
        "say": say,
        "explain": explain,
        "spoken": spoken,
        "tables": PAGE_TABLES,
        "study": False,
        "served": served,
    }
    environment.filters |= {
        "code": highlight,
        "retold": retold,
        "in_words": _in_words,
        "commands": _commands,
        "spoken": say,
        "words": lambda text: str(text).replace("_", " "),
        "key": _key,
        "percent": Share.percent,
        "value": value_text,
        "ends": ends_text,
        "per_cent": per_cent,
        "counted": counted,
    }
    return environment


_LANGUAGES = {
    "en": "English",
    "zh": "Chinese",
    "ja": "Japanese",
    "es": "Spanish",
    "ru": "Russian",
}


def _in_words(group: str, kind: str) -> str:
    """A group's name; a language's is not the code that files have."""
    if kind == "prompt_language" and group in _LANGUAGES:
        return say(_LANGUAGES[group])
    return group.capitalize() if kind == "language" else group


def _finalize(value: object) -> object:
    """Removes control characters from all texts of a page; text that is HTML stays HTML."""
    if isinstance(value, Markup):
        return Markup(clean(value))  # noqa: S704 - was escaped before
    return clean(value) if isinstance(value, str) else value


def _commands(text: str) -> Markup:
    """A sentence for a page: what stands between backticks on a terminal is code there."""
    parts = re.split(r"`([^`]+)`", clean(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else part
        for place, part in enumerate(parts)
    )


_FIGURE = re.compile(r"([+−]|< ?)?\d+\.\d+( \*)?")  # as text: a signed difference, a p


def _is_figure(cell: Cell) -> bool:
    """Whether a column of such cells is aligned by its digits."""
    return is_number(cell) or (isinstance(cell, str) and _FIGURE.fullmatch(cell) is not None)


def _key(cell: Cell) -> str:
    """What a column is sorted by."""
    found = getattr(cell, "value", getattr(cell, "count", cell)) if is_number(cell) else cell
    return "" if found is None else str(found)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace")
