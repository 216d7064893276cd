"""`polyassay report`."""

from pathlib import Path
from typing import TypeGuard

import click

from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.results.left_out import answered_only_option
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.two import compared_measure
from polyassay.measures.results import load
from polyassay.measures.table import HEADLINE
from polyassay.report.measures.page import measures_pages
from polyassay.report.rubric import grades
from polyassay.report.site import write_single_file, write_site
from polyassay.report.site_of_run import site_of_run
from polyassay.report.summary import markdown_summary
from polyassay.report.task_pages import task_pages
from polyassay.report.tasks.chosen import wanted_pages
from polyassay.report.tasks.withheld import pages_without, parse_without, without
from polyassay.report.terminal.waiting import counted_items, waiting
from polyassay.texts import LANGUAGES, speaking


@click.command()
@click.argument("run")
@click.option(
    "-o",
    "--output",
    "place",
    type=click.Path(path_type=Path),
    help="A folder, made where it is missing; with --single-file, or with --markdown and a name"
    " that ends in .md, a file.",
)
@click.option("--single-file", is_flag=True, help="Write one file that can be sent.")
@click.option("--markdown", is_flag=True, help="Print a summary for a job's page or a comment.")
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    metavar="POINTS",
    help="Draw the margin by which the second tool may be worse, and say what it decides.",
)
@click.option(
    "--measure",
    "name",
    default=HEADLINE.name,
    show_default=True,
    metavar="NAME",
    help="What decides, and stands first: pass@K, avg_pass_ratio, output_em, …; see `compare`.",
)
@answered_only_option
@click.option(
    "--without",
    "left_out",
    default="",
    metavar="NAME,…",
    help="Leave out tests, references, answers or prompts, as for a licensed suite.",
)
@click.option(
    "--tasks",
    metavar="all|differing|N",
    help="Write the pages of these tasks; N: of as many as differ most. Usual: all, and of a run "
    "of more than 20,000 verdicts as many as show 20,000 (4,000 in a single file).",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="What the report is written in; names, code and messages stay as they are.",
)
@store_option
@json_option
def report(
    run: str,
    place: Path | None,
    single_file: bool,
    markdown: bool,
    margin: float | None,
    name: str,
    answered_only: bool,
    left_out: str,
    tasks: str | None,
    language: str,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Writes a static page to show: the answer, the scores, the tasks that decide.

    It opens from the file, without a server or a network.

    \b
    polyassay report latest -o report
    polyassay report latest --single-file -o report.html
    polyassay report latest --markdown
    polyassay report latest --measure output_em -o report
    polyassay report latest --language zh -o report-zh
    """
    _check(place, single_file, markdown)
    withheld = parse_without(left_out)
    by = compared_measure(name)
    store = open_store(store_url)
    with speaking(language):
        with waiting(messages(), "Reading the run"):
            results = load(store, store.run(run))
            if answered_only:
                results = results.answered_only(results.unanswered())
            wanted = wanted_pages(tasks, results.judged, len(results.tasks), single_file)
            site, pages = site_of_run(store, results, home(), margin, wanted, by)
        site = without(site, withheld)
        if markdown and not _is_markdown(place):
            click.echo(markdown_summary(site), nl=False)
        if place is None:
            return
        before = _entries(place)
        try:
            if _is_markdown(place):
                place.write_text(markdown_summary(site), encoding="utf-8")
                return
            with waiting(messages(), "Writing tasks", len(pages)) as advance:
                texts = task_pages(store, results, pages, grades(store, results))
                texts = counted_items(pages_without(texts, withheld), advance)
                if single_file:
                    write_single_file(site, texts, place)
                else:
                    write_site(site, texts, place, measures_pages(store, results, pages))
        except OSError as error:
            raise PolyAssayError(
                f"{place} cannot be written: {error.strerror}.", hint="Name another place with -o."
            ) from None
    first = place if single_file else place / "index.html"
    if as_json:
        print_json({"run": results.run.id, "page": str(first), "tasks": len(pages)})
    elif not markdown:
        beside = sorted(_entries(place) - before) if before else []
        told = f"{place} had other files; written beside them: {', '.join(beside)}"
        for line in (f"Open {first}", told * bool(beside), site.pages_note):
            output().print(line, markup=False, soft_wrap=True, end="\n" * bool(line))


def _entries(place: Path) -> set[str]:
    """What a folder holds; nothing where there is none."""
    return {entry.name for entry in place.iterdir()} if place.is_dir() else set()


def _check(place: Path | None, single_file: bool, markdown: bool) -> None:
    if single_file and place is None:
        raise PolyAssayError("--single-file needs a file.", hint="Name one: -o report.html.")
    if place is None and not markdown:
        raise PolyAssayError(
            "Where the report goes is missing.", hint="Name a folder: -o report. Or --markdown."
        )
    if markdown and not single_file and _is_markdown(place):
        return
    if single_file and place is not None and place.is_dir():
        raise PolyAssayError(f"{place} is a folder.", hint="--single-file writes a file.")
    if place is not None and not single_file and _named_as_a_page(place):
        raise PolyAssayError(
            f"{place} is the name of a file, and a report is a folder.",
            hint="--markdown writes a summary into one file."
            if _is_markdown(place)
            else "--single-file writes one file; otherwise name a folder: -o report.",
        )
    if place is not None and place.is_file() and not single_file:
        raise PolyAssayError(
            f"{place} is a file.", hint="Name a folder, or write one file with --single-file."
        )


def _named_as_a_page(place: Path) -> bool:
    page = _is_markdown(place) or place.suffix.lower() in (".html", ".htm")
    return page and not place.is_dir()


def _is_markdown(place: Path | None) -> TypeGuard[Path]:
    return place is not None and place.suffix.lower() == ".md"
