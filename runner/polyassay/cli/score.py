"""`polyassay score`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.results import Results, load
from polyassay.cli.score_view import as_json as score_json
from polyassay.cli.score_view import as_table, footnotes
from polyassay.metrics.doubts import doubts
from polyassay.metrics.groups import parse_by
from polyassay.metrics.passk import parse_ks
from polyassay.metrics.scores import score_table
from polyassay.report.tables import TEXT_FORMATS, rich_table
from polyassay.store import Run, Store


@click.command()
@click.argument("run")
@click.option("--k", "ks", default="1", metavar="K,…", help="Which pass@k [1].")
@click.option(
    "--by",
    default="tool",
    metavar="NAME,…",
    help="tool, suite, language, prompt_language, domain, library, tag, assertion_set, set_family",
)
@click.option(
    "--format",
    "text_format",
    type=click.Choice(["terminal", *TEXT_FORMATS]),
    default="terminal",
    help="How the table is drawn.",
)
@store_option
@json_option
def score(
    run: str, ks: str, by: str, text_format: str, store_url: str | None, as_json: bool
) -> None:
    """Prints pass@k, AvgPassRatio and counts, with 95 % intervals.

    \b
    polyassay score latest
    polyassay score latest --k 1,5,10 --by language,prompt_language
    polyassay score latest --format latex > scores.tex
    """
    store = open_store(store_url)
    results = load(store, store.run(run))
    show(results, parse_ks(ks), parse_by(by), text_format, as_json)


def print_scores(store: Store, run: Run, as_json: bool) -> None:
    """What `run` prints when it is done."""
    show(load(store, run), (1,), (), "terminal", as_json)


def show(
    results: Results, ks: tuple[int, ...], by: tuple[str, ...], text_format: str, as_json: bool
) -> None:
    names = tuple(name for name in by if name != "tool")
    tools = score_table(results.scores, ks)
    groups = score_table(results.scores, ks, names) if names else None
    if as_json:
        print_json(score_json(results, tools, groups))
        return
    notes = footnotes(tools, results, doubts(results.tasks.values(), results.scores))
    table = as_table(groups or tools, notes)
    if text_format != "terminal":
        click.echo(TEXT_FORMATS[text_format](table), nl=False)
        return
    console = output()
    console.print(rich_table(table))
    for note in ["", *notes] if notes else []:
        console.print(f" {note}", style="dim", soft_wrap=True, markup=False)
