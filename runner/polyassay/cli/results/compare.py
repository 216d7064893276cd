"""`polyassay compare`."""

import click

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.errors import PolyAssayError
from polyassay.measures.comparable import differences
from polyassay.measures.groups import parse_by
from polyassay.measures.passk import parse_ks
from polyassay.measures.results import load
from polyassay.measures.scores import score
from polyassay.measures.thresholds import THRESHOLD_MISSED, fail_under_option, parse_threshold
from polyassay.report.comparison import as_json as comparison_json
from polyassay.report.comparison import deciding_lines, groups_table, metrics_table
from polyassay.report.tables import rich_table
from polyassay.statistics.compare import RATIO, Answer, Comparison
from polyassay.statistics.compare import compare as compare_tools
from polyassay.statistics.sentences import summary
from polyassay.store import Run


@click.command()
@click.argument("run")
@click.argument("a")
@click.argument("b")
@click.option("--with", "other_run", metavar="RUN", help="Take B from this run.")
@click.option("--k", "ks", default="1", metavar="K,…", help="Which pass@k [1].")
@click.option("--by", default="", metavar="NAME,…", help="Also by group; see `score --help`.")
@click.option(
    "--metric", "name", metavar="NAME", help=f"What decides: pass@K or {RATIO} [the first pass@k]."
)
@click.option("--all-tasks", is_flag=True, help="List every task on which they differ.")
@click.option("--fail-if-worse", is_flag=True, help="Exit 100 if B is worse than A.")
@fail_under_option
@store_option
@json_option
@click.pass_context
def compare(
    context: click.Context,
    run: str,
    a: str,
    b: str,
    other_run: str | None,
    ks: str,
    by: str,
    name: str | None,
    all_tasks: bool,
    fail_if_worse: bool,
    fail_under: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Tells whether B is better than A, by how much, and how sure that is.

    Only tasks that both have count, each against itself. For CI, B is the new one.

    \b
    polyassay compare latest finch heron
    polyassay compare r7f3 heron heron --with latest --fail-if-worse
    polyassay compare latest finch heron --by language,prompt_language
    """
    store = open_store(store_url)
    first = load(store, store.run(run))
    second = load(store, store.run(other_run)) if other_run else first
    refuse_unlike(first.run, second.run)
    threshold = parse_threshold(fail_under) if fail_under else None
    wanted = parse_ks(ks)
    found = compare_tools((a, first.tool(a)), (b, second.tool(b)), wanted, parse_by(by))
    chosen = chosen_metric(found, name)
    if as_json:
        print_json(comparison_json(found, (first.run.id, second.run.id), chosen))
    else:
        show(found, chosen, all_tasks, many_suites=len(first.run.provenance["suites"]) > 1)
    reasons = []
    if fail_if_worse and found.metrics[chosen].answer is Answer.WORSE:
        reasons.append(f"{b} is worse than {a}")
    if threshold:
        at = (threshold.k,) if threshold.k else ()
        if threshold.missed_by(score(second.tool(b), at)):
            reasons.append(f"{b} is under {threshold}")
    if reasons:
        messages().print(f"{'; '.join(reasons)}.")
        context.exit(THRESHOLD_MISSED)


def refuse_unlike(first: Run, second: Run) -> None:
    """Across runs: the same suites, judged in the same way."""
    shared = [name for name in first.provenance["suites"] if name in second.provenance["suites"]]
    for suite in shared:
        # Another number of tasks does no harm: only tasks that both have are compared.
        if reasons := differences(first, second, suite, besides=("limit",)):
            raise PolyAssayError(
                f"The runs cannot be compared on {suite}: {'; '.join(reasons)}.",
                hint="Run both on the same suite with the same options and libraries.",
            )


def chosen_metric(comparison: Comparison, name: str | None) -> str:
    if name is None:
        return next(iter(comparison.metrics))
    if name not in comparison.metrics:
        raise PolyAssayError(
            f'"{name}" was not compared.', hint=f"Choose from {', '.join(comparison.metrics)}."
        )
    return name


def show(comparison: Comparison, name: str, all_tasks: bool, many_suites: bool) -> None:
    console = output()
    console.print(rich_table(metrics_table(comparison)))
    console.print()
    for line in summary(comparison, name):
        console.print(f" {line}", soft_wrap=True, markup=False)
    if comparison.groups:
        console.print()
        console.print(rich_table(groups_table(comparison, name)))
    for line in ["", *deciding_lines(comparison, all_tasks, many_suites)]:
        console.print(f" {line}", soft_wrap=True, markup=False)
