"""`polyassay score`."""

from dataclasses import replace

import click

from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    output,
    print_json,
    print_whole,
    store_option,
)
from polyassay.cli.results.left_out import (
    answered_only_option,
    leave_out_weak,
    without_weak_option,
)
from polyassay.cli.results.thresholds import THRESHOLD_MISSED, fail_under_options, misses
from polyassay.measures.groups import parse_by
from polyassay.measures.passk import parse_ks
from polyassay.measures.results import doubted, load
from polyassay.measures.scores import score_table
from polyassay.measures.table import measure, pass_at_names
from polyassay.measures.thresholds import parse_threshold
from polyassay.measures.units import original_sets_only, same_for_all
from polyassay.report.comparing.answers import with_answer
from polyassay.report.comparing.gaps import gaps_table
from polyassay.report.score_table import as_json as score_json
from polyassay.report.score_table import failures_table
from polyassay.report.tables import TEXT_FORMATS, Table, rich_table
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
@click.option("--measure", "besides", multiple=True, metavar="NAME", help="Show this one, too.")
@without_weak_option
@answered_only_option
@click.option("--original-sets", is_flag=True, help="One-to-many tasks by their own tests only.")
@click.option("--failures", is_flag=True, help="Count why candidates failed instead.")
@click.option(
    "--gaps",
    is_flag=True,
    help="Compare groups of tasks within each tool instead, by --measure or the first pass@k.",
)
@fail_under_options
@store_option
@json_option
@click.pass_context
def score(
    context: click.Context,
    run: str,
    ks: str,
    by: str,
    text_format: str,
    besides: tuple[str, ...],
    without_weak: bool,
    answered_only: bool,
    original_sets: bool,
    failures: bool,
    gaps: bool,
    fail_under: str | None,
    strict: bool,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Prints pass@k, AvgPassRatio, other measures and counts, with 95 % intervals.

    A task without an answer counts as failed, unless --answered-only leaves it out. What cannot
    be scored for one tool is left out for all, and the table says how many tasks.
    --fail-under misses where the whole interval lies below; with --strict, where the value does.

    \b
    polyassay score latest
    polyassay score latest --k 1,5,10 --by language,prompt_language
    polyassay score latest --measure pass^3 --fail-under pass@1=0.45
    """
    store = open_store(store_url)
    results = load(store, store.run(run))
    doubtful = doubted(results, home())
    if original_sets:
        results = replace(results, scores=original_sets_only(results.scores))
    results = leave_out_weak(results, doubtful) if without_weak else results
    results = results.answered_only(results.unanswered()) if answered_only else results
    threshold = parse_threshold(fail_under) if fail_under else None
    names = tuple(name for name in parse_by(by) if name != "tool")
    more = [*besides, *([threshold.measure.name] if threshold else [])]
    wanted = parse_ks(ks)
    tools = score_table(results.scores, wanted, (), more, names)
    groups = score_table(results.scores, wanted, names, more) if names else None
    if as_json:
        print_json(score_json(results, tools, groups))
    elif failures:
        show_table(failures_table(groups or tools), text_format)
    elif gaps:
        of = measure([*besides, *pass_at_names(wanted)][0])
        show_table(gaps_table(same_for_all(results.scores), of), text_format)
    else:
        show_table(with_answer(results, tools, groups, doubtful), text_format)
    if threshold is None:
        return
    missed = [row.tool for row in tools.rows if misses(threshold, row.tool, row.score, strict)]
    if missed:
        messages().print(f"Under {threshold}: {', '.join(missed)}.")
        context.exit(THRESHOLD_MISSED)


def print_scores(store: Store, run: Run, as_json: bool) -> None:
    """What `run` prints when it is done."""
    results = load(store, run)
    tools = score_table(results.scores)
    if as_json:
        print_json(score_json(results, tools, None))
    else:
        show_table(with_answer(results, tools, None, doubted(results, home())), "terminal")


def show_table(table: Table, text_format: str) -> None:
    if text_format != "terminal":
        click.echo(TEXT_FORMATS[text_format](table), nl=False)
        return
    console = output()
    print_whole(console, rich_table(table))
    for note in ["", *table.notes] if table.notes else []:
        console.print(f" {note}", soft_wrap=True, markup=False)
