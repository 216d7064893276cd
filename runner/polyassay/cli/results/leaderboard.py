"""`polyassay leaderboard`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_fitting,
    print_json,
    store_option,
)
from polyassay.cli.results.submission import check
from polyassay.errors import PolyAssayError
from polyassay.measures.table import Measure, measure, pass_at_names
from polyassay.report.boards.ranking import boards_of, rank_runs
from polyassay.report.boards.small import small_boards, small_heading, small_table
from polyassay.report.boards.writing import Boards, write_boards
from polyassay.report.comparing.gaps import BETWEEN
from polyassay.report.comparing.leaderboard import (
    Ranked,
    board_about,
    board_json,
    board_table,
    board_title,
    gaps_between,
    languages_table,
    ranking_notes,
    taken_line,
    taken_runs,
)
from polyassay.report.comparing.pairs import pairs_table
from polyassay.report.terminal.waiting import waiting
from polyassay.shown_text import in_a_line
from polyassay.store import Run, Store
from polyassay.wording import did_you_mean

SHOW = "show"


class _ShowByDefault(click.Group):
    """`leaderboard …` is `leaderboard show …`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, *ctx.help_option_names}
        completing = ctx.resilient_parsing and not args  # a command may be meant, or a run
        if not completing and (not args or args[0] not in own):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = self.commands[SHOW].get_params(ctx)
        records = (parameter.get_help_record(ctx) for parameter in own)
        with formatter.section("Options of show, which go without its name"):
            formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        inner = self.commands[SHOW]
        found = inner.shell_complete(ctx, incomplete)
        for parameter in inner.params:
            if isinstance(parameter, click.Argument):
                found += parameter.shell_complete(ctx, incomplete)
        return [*super().shell_complete(ctx, incomplete), *found]


@click.group(cls=_ShowByDefault)
def leaderboard() -> None:
    """Ranks all tools, by language and prompt language; checks what others send in.

    Without a command it is `leaderboard show`.

    \b
    polyassay leaderboard
    polyassay leaderboard r7f3 r801 --k 5
    polyassay leaderboard -o board
    polyassay leaderboard check finch.gz
    """


@leaderboard.command(SHOW)
@click.argument("names", metavar="[RUN]…", nargs=-1)
@click.option("--runs", "more", default="", metavar="RUN,…", help="Only these runs, as RUN.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="PATTERN",
    help="Of these, only runs with such a label; * stands for anything; several.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME",
    help="Only this suite's boards; of several, also one over them together.",
)
@click.option("--judged-here", is_flag=True, help="Leave imported runs out.")
@click.option("--k", type=click.IntRange(1), default=1, help="Rank by pass@k [1].")
@click.option("--measure", "name", metavar="NAME", help="Rank by this measure instead.")
@click.option(
    "--prompt-language",
    default="",
    metavar="NAME",
    help="Rank on prompts in this language only, so that all tools asked in it meet.",
)
@click.option("--pairs", is_flag=True, help="Also list which tools can be told apart.")
@click.option("--all", "whole", is_flag=True, help="Print boards that rank nothing whole, too.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a page to publish into this folder.",
)
@click.option("--contact", default="", metavar="TEXT", help="On the page: where to send runs.")
@store_option
@json_option
def show(
    names: tuple[str, ...],
    more: str,
    labels: tuple[str, ...],
    suites: tuple[str, ...],
    judged_here: bool,
    k: int,
    name: str | None,
    prompt_language: str,
    pairs: bool,
    whole: bool,
    folder: Path | None,
    contact: str,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Ranks all tools, and says which runs their figures are from.

    A rank is a range: what all pairs of tools, compared together, leave open. Each suite,
    version, set of limits and set of units has a board of its own; tools that are on a board of
    each suite are also ranked over all suites. Without RUN, all complete runs count, the newest of
    each tool. A run that was imported counts from when it arrived, is marked,
    and gives no tool that a run judged here has.

    \b
    polyassay leaderboard
    polyassay leaderboard --label 'release-*' -o board
    """
    store = open_store(store_url)
    by = measure(name or pass_at_names([k])[0])
    chosen = _chosen(store, [*names, *filter(None, more.split(","))], labels)
    if judged_here:
        chosen = _judged_here(chosen)
    _refuse_unknown(suites, chosen)
    with waiting(messages(), "Ranking"):
        ranked, remarks = rank_runs(store, chosen, by, prompt_language, suites)
    taken = taken_runs([board for board, _, _ in ranked], chosen)
    value = {
        "k": k,
        "measure": by.name,
        "prompt_language": prompt_language,
        "joint": next((board_json(one) for one in ranked if one[0].joint), None),
        "boards": [board_json(one) for one in ranked if not one[0].joint],
        "runs": taken,
        "left_out": remarks,
    }
    if folder is not None:
        made = datetime.now(UTC).date().isoformat()
        boards = boards_of(store, ranked, by, chosen, remarks, prompt_language, contact, made)
        _write(boards, value, folder)
    if as_json:
        print_json(value)
    else:
        called = {run.id: run.label or "" for run in chosen}
        _print(ranked, [] if whole else small_boards(ranked), by, pairs, called)
        _print_runs(taken, remarks)
        if folder is not None:
            output().print(f" Open {folder / 'index.html'}", markup=False, soft_wrap=True)


def _judged_here(runs: Sequence[Run]) -> list[Run]:
    found = [run for run in runs if not run.imported]
    if runs and not found:
        raise PolyAssayError(
            "All of these runs are imported: none of them was judged here.",
            hint=f"`polyassay run --again {runs[0].id}` judges one here.",
        )
    return found


def _chosen(store: Store, names: Sequence[str], labels: Sequence[str]) -> list[Run]:
    """The runs that were named and whose labels fit; all of them where nothing was said."""
    runs = store.runs()
    if names:
        wanted = {_named(store, name).id for name in names}
        runs = [run for run in runs if run.id in wanted]
    if not labels:
        return runs
    fitting: set[str] = set()
    for pattern in labels:
        found = {run.id for run in runs if run.label and fnmatchcase(run.label, pattern)}
        if not found:
            known = ", ".join(run.label for run in runs if run.label)
            whose = "None of these runs" if names else "No run"
            raise PolyAssayError(
                f'{whose} has a label like "{pattern}".',
                hint=f"Labels are: {known}." if known else "`polyassay runs label` gives one.",
            )
        fitting |= found
    return [run for run in runs if run.id in fitting]


def _refuse_unknown(suites: Sequence[str], runs: Sequence[Run]) -> None:
    known = {suite for run in runs for suite in run.provenance["suites"]}
    for suite in suites:
        if suite not in known:
            hint = did_you_mean(suite, sorted(known)) + f"They have: {', '.join(sorted(known))}."
            raise PolyAssayError(f'None of these runs has a suite "{suite}".', hint=hint)


def _named(store: Store, name: str) -> Run:
    """What is no run may be a command with a slip of the pen."""
    try:
        return store.run(name)
    except PolyAssayError as error:
        hint = did_you_mean(name, [check.name or ""], 0.7) + (error.hint or "")
        raise PolyAssayError(error.problem, hint=hint) from None


def _write(boards: Boards, value: Any, folder: Path) -> None:
    try:
        write_boards(boards, value, folder)
    except OSError as error:
        raise PolyAssayError(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder with -o."
        ) from None


def _print(
    ranked: Sequence[Ranked],
    small: Sequence[Ranked],
    by: Measure,
    pairs: bool,
    labels: Mapping[str, str],
) -> None:
    console = output()
    boards, explain = [board for board, _, _ in ranked], False
    for one in ranked:
        board, matrix, places = one
        if one in small:
            continue
        console.print(board_title(board, boards), style="bold", markup=False, soft_wrap=True)
        console.print(f" {board_about(board, boards)}", markup=False, soft_wrap=True)
        print_fitting(console, board_table(board, places, by, labels), list(board.tools))
        console.print()
        # Over several suites, each suite's board has its languages.
        between = None if board.joint else gaps_between(places, by)
        for table in (
            None if board.joint else languages_table(places, by, console.width),
            between,
            pairs_table(matrix) if pairs and matrix.pairs else None,
        ):
            if table:
                print_fitting(console, table, list(board.tools))
                console.print()
        explain = explain or between is not None
        for line in ranking_notes(one):
            console.print(in_a_line(f" {line}"), soft_wrap=True, markup=False)
        console.print()
    if explain:
        console.print(f" {BETWEEN}", soft_wrap=True, markup=False)
    if small:
        console.print(small_heading(small), style="bold", markup=False, soft_wrap=True)
        tools = {tool for board, _, _ in small for tool in board.tools}
        print_fitting(console, small_table(small, boards, by, labels), tools)
        console.print()


def _print_runs(taken: Sequence[dict[str, Any]], remarks: Sequence[str]) -> None:
    console = output()
    told = "; ".join(taken_line(of) for of in taken)
    console.print(in_a_line(f" Runs taken: {told}."), soft_wrap=True, markup=False)
    if remarks:
        out = in_a_line(f" Left out: {' '.join(remarks)}")
        console.print(out, soft_wrap=True, markup=False)


leaderboard.add_command(check)
