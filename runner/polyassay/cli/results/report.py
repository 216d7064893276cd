"""`polyassay report`."""

from pathlib import Path

import click

from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.errors import PolyAssayError
from polyassay.measures.results import doubted, load
from polyassay.report.first_page import make_site
from polyassay.report.measures.page import measures_pages
from polyassay.report.rubric import grades, rubric_tables
from polyassay.report.site import write_single_file, write_site
from polyassay.report.summary import markdown_summary
from polyassay.report.task_pages import number_pages, task_pages
from polyassay.report.tasks.withheld import pages_without, parse_without, without
from polyassay.report.trust.card import TrustCard
from polyassay.report.trust.history import history
from polyassay.store import Run, Store
from polyassay.trust.kept import kept


@click.command()
@click.argument("run")
@click.option(
    "-o",
    "--output",
    "place",
    type=click.Path(path_type=Path),
    help="A folder, made where it is missing; with --single-file, a file.",
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
    "--without",
    "left_out",
    default="",
    metavar="NAME,…",
    help="Leave out tests, references, answers or prompts, as for a licensed suite.",
)
@store_option
@json_option
def report(
    run: str,
    place: Path | None,
    single_file: bool,
    markdown: bool,
    margin: float | None,
    left_out: str,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Writes a static page to show: the answer, the scores, the tasks that decide.

    It opens from the file, without a server or a network.

    \b
    polyassay report latest -o report
    polyassay report latest --single-file -o report.html
    polyassay report latest --markdown
    """
    _check(place, single_file, markdown)
    withheld = parse_without(left_out)
    store = open_store(store_url)
    results = load(store, store.run(run))
    if not results.scores:
        raise PolyAssayError(
            f"Run {results.run.id} has no verdict yet.",
            hint=f"Go on with `polyassay run --resume {results.run.id}`.",
        )
    pages = number_pages(results)
    people = rubric_tables(store, results)
    cards = trust_cards(store, results.run)
    site = make_site(results, pages, doubted(results, home()), people, margin, cards)
    site = without(site, withheld)
    if markdown:
        click.echo(markdown_summary(site), nl=False)
    if place is None:
        return
    try:
        texts = task_pages(store, results, pages, grades(store, results))
        texts = pages_without(texts, withheld)
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
        output().print(f"Open {first}", markup=False, soft_wrap=True)


def _check(place: Path | None, single_file: bool, markdown: bool) -> None:
    if place is None and not markdown:
        raise PolyAssayError(
            "Where the report goes is missing.", hint="Name a folder: -o report. Or --markdown."
        )
    if single_file and place is None:
        raise PolyAssayError("--single-file needs a file.", hint="Name one: -o report.html.")
    if single_file and place is not None and place.is_dir():
        raise PolyAssayError(f"{place} is a folder.", hint="--single-file writes a file.")
    if place is not None and place.is_file() and not single_file:
        raise PolyAssayError(
            f"{place} is a file.", hint="Name a folder, or write one file with --single-file."
        )


def trust_cards(store: Store, run: Run) -> list[TrustCard]:
    """One for each suite of the run, with what all runs in the store say about its tests."""
    return [
        TrustCard(suite, kept(home(), suite.checksum), history(store, suite))
        for suite in store.suites(run).values()
    ]
