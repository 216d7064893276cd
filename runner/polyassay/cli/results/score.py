"""`polyassay score`."""

import click

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.groups import parse_by
from polyassay.measures.passk import parse_ks
from polyassay.measures.results import Results, doubted, load
from polyassay.measures.scores import ScoreTable, score_table
from polyassay.measures.thresholds import THRESHOLD_MISSED, fail_under_option, parse_threshold
from polyassay.report.score_table import as_json as score_json
from polyassay.report.score_table import as_table, failures_table, footnotes, gaps_table
from polyassay.report.tables import TEXT_FORMATS, Table, rich_table
from polyassay.statistics.compare import compare, share_tasks
from polyassay.statistics.sentences import summary
from polyassay.store import Run, Store
from polyassay.wording import counted


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
@click.option("--failures", is_flag=True, help="Count why candidates failed instead.")
@click.option("--gaps", is_flag=True, help="Compare groups of tasks within each tool instead.")
@fail_under_option
@store_option
@json_option
@click.pass_context
def score(
    context: click.Context,
    run: str,
    ks: str,
    by: str,
    text_format: str,
    failures: bool,
    gaps: bool,
    fail_under: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Prints pass@k, AvgPassRatio and counts, with 95 % intervals.

    \b
    polyassay score latest
    polyassay score latest --k 1,5,10 --by language,prompt_language
    polyassay score latest --format latex > scores.tex
    """
    store = open_store(store_url)
    results = load(store, store.run(run))
    threshold = parse_threshold(fail_under) if fail_under else None
    names = tuple(name for name in parse_by(by) if name != "tool")
    wanted = sorted({*parse_ks(ks), *([threshold.k] if threshold and threshold.k else [])})
    tools = score_table(results.scores, wanted)
    groups = score_table(results.scores, wanted, names) if names else None
    if as_json:
        print_json(score_json(results, tools, groups))
    elif failures:
        show_table(failures_table(groups or tools), text_format)
    elif gaps:
        show_table(gaps_table(results.scores), text_format)
    else:
        show_scores(results, tools, groups, text_format)
    missed = [row.tool for row in tools.rows if threshold and threshold.missed_by(row.score)]
    if missed and threshold:
        messages().print(f"Under {threshold}: {', '.join(missed)}.")
        context.exit(THRESHOLD_MISSED)


def print_scores(store: Store, run: Run, as_json: bool) -> None:
    """What `run` prints when it is done."""
    results = load(store, run)
    tools = score_table(results.scores)
    if as_json:
        print_json(score_json(results, tools, None))
    else:
        show_scores(results, tools, None, "terminal")


def show_scores(
    results: Results, tools: ScoreTable, groups: ScoreTable | None, text_format: str
) -> None:
    """The table, which tool is better where there are two, and what to know about it."""
    notes = footnotes(tools, results, doubted(results))
    rivals = [tool for tool in results.scores if tool not in (REFERENCE, EMPTY)]
    sides = [(tool, results.scores[tool]) for tool in rivals]
    if len(sides) == 2 and not groups and share_tasks(sides[0][1], sides[1][1]):
        a, b = sides
        found = compare(a, b, tools.ks)
        if any(row.score.tasks != found.tasks for row in tools.rows if row.tool in rivals):
            notes = [f"Compared on {counted(found.tasks, 'task')} that both have.", *notes]
        notes = [*summary(found, f"pass@{tools.ks[0]}"), *notes]
    show_table(as_table(groups or tools, notes), text_format)


def show_table(table: Table, text_format: str) -> None:
    if text_format != "terminal":
        click.echo(TEXT_FORMATS[text_format](table), nl=False)
        return
    console = output()
    console.print(rich_table(table))
    for note in ["", *table.notes] if table.notes else []:
        console.print(f" {note}", soft_wrap=True, markup=False)
