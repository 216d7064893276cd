"""`polyassay compare`."""

from collections.abc import Sequence

import click

from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    output,
    print_fitting,
    print_json,
    store_option,
)
from polyassay.cli.results.left_out import (
    answered_only_option,
    leave_out_weak,
    without_weak_option,
)
from polyassay.cli.results.thresholds import THRESHOLD_MISSED, fail_under_options, misses
from polyassay.errors import PolyAssayError
from polyassay.measures.comparable import refuse_unlike, tries_remark
from polyassay.measures.comparing.beside import Beside, beside
from polyassay.measures.comparing.many import compare_all
from polyassay.measures.comparing.margins import Decision, margin_of
from polyassay.measures.comparing.two import compare as compare_tools
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.groups import parse_by
from polyassay.measures.passk import parse_ks
from polyassay.measures.results import Results, doubted, load
from polyassay.measures.scores import score
from polyassay.measures.table import pass_at_names
from polyassay.measures.thresholds import parse_threshold
from polyassay.report.comparing.comparison import as_json as comparison_json
from polyassay.report.comparing.comparison import comparison_lines, matrix_json, plan_of
from polyassay.report.comparing.pairs import pairs_notes, pairs_table, ranks_table
from polyassay.report.score_table import unanswered_note
from polyassay.report.tables import Table
from polyassay.store import LATEST, Run, Store

_PASSES_UNSURELY = "Passes, though it could not be told; --fail-if-cannot-tell would fail."
_PASSES_FOR_NOW = "Passes, though answers that are missing could turn this."


@click.command()
@click.argument("run")
@click.argument("tools", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All tools of the run.")
@click.option("--with", "other_run", metavar="RUN", help="Take B from this run.")
@click.option("--k", "ks", default="1", metavar="K,…", help="Which pass@k [1].")
@click.option("--by", default="", metavar="NAME,…", help="Also by group; see `score --help`.")
@click.option(
    "--measure",
    "--metric",
    "name",
    metavar="NAME",
    help="What decides: pass@K, pass^K, avg_pass_ratio, … [the first pass@k].",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    help="Exit 100 if B is worse than A by more than this.",
)
@without_weak_option
@answered_only_option
@click.option("--bayes", is_flag=True, help="Also tell the probability that B is better.")
@click.option("--all-tasks", is_flag=True, help="List every task on which they differ.")
@click.option("--fail-if-worse", is_flag=True, help="Exit 100 if B is worse than A.")
@click.option("--fail-if-cannot-tell", is_flag=True, help="Exit 100 if there is no answer.")
@fail_under_options
@store_option
@json_option
@click.pass_context
def compare(
    context: click.Context,
    run: str,
    tools: tuple[str, ...],
    everything: bool,
    other_run: str | None,
    ks: str,
    by: str,
    name: str | None,
    margin: float | None,
    without_weak: bool,
    answered_only: bool,
    bayes: bool,
    all_tasks: bool,
    fail_if_worse: bool,
    fail_if_cannot_tell: bool,
    fail_under: str | None,
    strict: bool,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Tells whether B is better than A, by how much, and how sure that is.

    Tasks that all of the tools were asked count, each against itself; one without an answer counts
    as failed, unless --answered-only leaves it out. Of a run of two tools, none has to be named.
    For CI, B is the new one. Of three or more tools, all pairs are tested together, and ranks
    follow from the answers.

    \b
    polyassay compare latest finch heron --margin 3
    polyassay compare latest --all
    polyassay compare r7f3 heron heron --with latest --fail-if-worse
    """
    store = open_store(store_url)
    first = load(store, _run_of(store, run, tools))
    second = load(store, store.run(other_run)) if other_run else first
    refuse_unlike(first.run, second.run)
    doubtful = doubted(first, home()).weak
    if without_weak:
        first, second = (leave_out_weak(each, doubted(first, home())) for each in (first, second))
    names = _tools(first, tools, everything, other_run)
    for results in (first, second):
        _refuse_unfinished(results)
    if answered_only:
        first, second = _answered_by_all(first, second, names, other_run)
    wanted = parse_ks(ks)
    decides = name or pass_at_names(wanted)[0]
    threshold = parse_threshold(fail_under) if fail_under else None
    reasons = []
    unsure = ""
    if len(names) > 2:
        _refuse_pair_flags(other_run, by, margin, fail_if_worse, fail_under)
        matrix = compare_all({n: first.tool(n) for n in names}, pass_at_names(wanted), decides)
        if as_json:
            print_json(matrix_json(matrix, first.run.id))
        else:
            tables: list[Table | str] = [ranks_table(matrix), "", pairs_table(matrix), ""]
            notes = [*pairs_notes(matrix), *first.remarks, *tries_remark(names)]
            _show([*tables, *notes], names)
        if fail_if_cannot_tell and len(matrix.may_be_best) > 1:
            reasons.append("it cannot be told which is the best")
    else:
        a, b = names
        sides = (a, first.tool(a)), (b, second.tool(b))
        found = compare_tools(*sides, wanted, parse_by(by), [decides])
        told = beside(*sides, found, doubtful, decides, first.in_suites)
        decision = Decision(found, decides, margin_of(found.metrics[decides], margin), bayes)
        runs = first.run.id, second.run.id
        if as_json:
            print_json(comparison_json(decision, runs, told))
        else:
            many_suites = len(first.run.provenance["suites"]) > 1
            left = [(tool, sum(not unit.samples for unit in units)) for tool, units in sides]
            lines = comparison_lines(decision, told, all_tasks, many_suites, plan_of(runs))
            remarks = dict.fromkeys([*first.remarks, *second.remarks])
            notes = [*unanswered_note(left), *remarks, *tries_remark(names)]
            _show([*lines, *notes], names)
        reasons += decision.against(fail_if_worse, fail_if_cannot_tell)
        if margin or fail_if_worse or fail_if_cannot_tell:
            unsure = _doubt(decision.told or fail_if_cannot_tell, told)
        if threshold and misses(threshold, b, score(second.tool(b), [threshold.measure]), strict):
            reasons.append(f"{b} is under {threshold}")
    _conclude(context, reasons, unsure)


def _doubt(told_apart: bool, told: Beside) -> str:
    """Why a comparison that nothing is against may not hold."""
    if not told_apart:
        return _PASSES_UNSURELY
    return _PASSES_FOR_NOW if told.missing else ""


def _conclude(context: click.Context, reasons: Sequence[str], unsure: str) -> None:
    """Ends the command as CI reads it; `unsure`: why it passes and yet may not hold."""
    if reasons:
        # A tool's name may begin it, and stays as it is.
        messages().print(f"Fails: {'; '.join(reasons)}.", markup=False)
        context.exit(THRESHOLD_MISSED)
    if unsure:
        messages().print(unsure, markup=False, soft_wrap=True)


def _run_of(store: Store, run: str, tools: Sequence[str]) -> Run:
    """Who names two tools and no run means the newest run that has them."""
    try:
        return store.run(run)
    except PolyAssayError as error:
        having = [
            each
            for each in store.runs()
            if {run, *tools} <= each.provenance["candidates"]["tools"].keys()
        ]
        if not having:
            raise
        newest = LATEST if having[0].id == store.run(LATEST).id else having[0].id
        meant = " ".join(["polyassay compare", newest, run, *tools])
        raise PolyAssayError(error.problem, hint=f"did you mean `{meant}`?") from None


def _answered_by_all(
    first: Results, second: Results, names: Sequence[str], other_run: str | None
) -> tuple[Results, Results]:
    """Both runs with the tasks alone that every compared tool has answered."""
    missing = (
        first.unanswered(names[:1]) | second.unanswered(names[1:])
        if other_run
        else first.unanswered(names)
    )
    return first.answered_only(missing), second.answered_only(missing)


def _tools(
    results: Results, named: Sequence[str], everything: bool, other_run: str | None
) -> list[str]:
    """Those that were named; of a run of two, these two."""
    if everything and named:
        raise click.UsageError("--all takes all tools: name none.")
    rivals = [tool for tool in results.scores if tool not in (REFERENCE, EMPTY)]
    found = list(named)
    if everything or (not named and len(rivals) == 2):
        found = rivals
    for tool in found[:1] if other_run else found:
        results.tool(tool)  # a misspelt one is told before anything else
    if len(found) < 2:
        known = ", ".join(results.scores)
        raise PolyAssayError(
            f"A comparison needs two tools, and {len(found)} {'is' if len(found) == 1 else 'are'} "
            "named.",
            hint=f"Run {results.run.id} has {known}." if known else "It has no verdict yet.",
        )
    if len(set(found)) < len(found) and not (other_run and len(found) == 2):
        raise click.UsageError(
            "Name each tool once."
            + " To compare it with itself in another run, add --with RUN." * (len(found) == 2)
        )
    return found


def _refuse_unfinished(results: Results) -> None:
    """Who looks again and again at a growing run finds a difference where there is none."""
    if not results.complete:
        raise PolyAssayError(
            f"Run {results.run.id} is not complete ({results.judged} of {results.candidates} "
            "candidates), and an answer that is read at every look is false far more often "
            "than in 5 %.",
            hint=f"Finish it with `polyassay run --resume {results.run.id}`; `polyassay score` "
            "shows its figures so far.",
        )


def _refuse_pair_flags(
    other_run: str | None, by: str, margin: float | None, worse: bool, under: str | None
) -> None:
    if other_run or by or margin or worse or under:
        raise click.UsageError(
            "--with, --by, --margin, --fail-if-worse and --fail-under are for two tools."
        )


def _show(parts: Sequence[Table | str], names: Sequence[str]) -> None:
    console = output()
    for part in parts:
        if isinstance(part, str):
            console.print(f" {part}" if part else "", soft_wrap=True, markup=False)
            continue
        print_fitting(console, part, names)
        for note in ["", *part.notes] if part.notes else []:
            console.print(f" {note}" if note else "", soft_wrap=True, markup=False)
