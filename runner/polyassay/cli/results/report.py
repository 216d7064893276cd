"""`polyassay report`."""

from pathlib import Path

import click

from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.errors import PolyAssayError
from polyassay.measures.results import doubted, load
from polyassay.report.first_page import make_site
from polyassay.report.measures.page import measures_pages
from polyassay.report.rubric import grades, rubric_tables
from polyassay.report.site import write_site
from polyassay.report.task_pages import number_pages, task_pages


@click.command()
@click.argument("run")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="A folder; made where it is missing.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    metavar="POINTS",
    help="Draw the margin by which the second tool may be worse, and say what it decides.",
)
@store_option
@json_option
def report(
    run: str, folder: Path, margin: float | None, store_url: str | None, as_json: bool
) -> None:
    """Writes a static page to show: the answer, the scores, the tasks that decide.

    It opens from the file, without a server or a network.

    \b
    polyassay report latest -o report
    """
    store = open_store(store_url)
    results = load(store, store.run(run))
    if not results.scores:
        raise PolyAssayError(
            f"Run {results.run.id} has no verdict yet.",
            hint=f"Go on with `polyassay run --resume {results.run.id}`.",
        )
    pages = number_pages(results)
    try:
        site = make_site(
            results, pages, doubted(results, home()), rubric_tables(store, results), margin
        )
        graded = grades(store, results)
        measured = measures_pages(store, results, pages)
        write_site(site, task_pages(store, results, pages, graded), folder, measured)
    except OSError as error:
        raise PolyAssayError(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder with -o."
        ) from None
    first = folder / "index.html"
    if as_json:
        print_json({"run": results.run.id, "page": str(first), "tasks": len(pages)})
    else:
        output().print(f"Open {first}", markup=False, soft_wrap=True)
