"""`polyassay grade import` and `export`."""

from collections.abc import Sequence
from pathlib import Path

import click

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.grade.common import rubric_option, suite_tasks
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.figures.left_out import still_left_out
from polyassay.rubric.files import (
    BadRow,
    check_rows,
    compared,
    events_of,
    read_rows,
    strangers,
)
from polyassay.rubric.stored import all_scores, keep_rubric, tools_known
from polyassay.shown_text import clean
from polyassay.store.graders import Graders, LeftOutRow
from polyassay.store.scores import Scores
from polyassay.wording import counted

JSONL = {".jsonl", ".ndjson", ".json"}
SHOWN = 20  # bad rows that an error lists


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@rubric_option
@click.option("--partial", is_flag=True, help="Take the good rows, and name those left out.")
@click.option("--replace", is_flag=True, help="Let rows change scores that the store has.")
@store_option
@json_option
def import_scores(
    file: Path,
    rubric_name: str | None,
    partial: bool,
    replace: bool,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Takes scores that were collected elsewhere: CSV, or JSONL where the name ends so.

    \b
    suite,task,tool,prompt_language,sample,grader,dimension,score,comment
    polyassay grade import scores.csv
    polyassay grade import scores.jsonl --partial
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PolyAssayError(
            f"{file} cannot be read: {error.strerror}.", hint="Name a CSV or JSONL file."
        ) from None
    rubric = rubrics.load(rubric_name or rubrics.DEFAULT)
    rows = read_rows(content, str(file), jsonl=file.suffix.lower() in JSONL)
    checked = check_rows(rows, rubric, suite_tasks())
    store = Scores(open_store(store_url))
    keep_rubric(store, rubric)
    new, there, conflicts = compared(checked, all_scores(store, rubric, None), replace)
    remarks = strangers(new, tools_known(store, {score.key.suite for score in new}))
    bad = sorted([*checked.bad, *conflicts], key=lambda row: row.number)
    if bad and not partial:
        raise PolyAssayError(
            f"{file}: {len(bad)} of {len(checked.scores) + len(checked.bad)} rows are bad:\n"
            + _listed(bad),
            hint="Nothing was imported. Mend the rows, leave them out with --partial, or, where "
            "their scale is another one (from 0, say), name its rubric with --rubric.",
        )
    store.append_all([event for score in new for event in events_of(score, rubric)])
    left_out = [LeftOutRow(file.name, r.number, r.line, clean(r.problem), r.values) for r in bad]
    Graders(store.opened).save_left_out(rubric.name, file.name, left_out)
    if as_json:
        told = [{"row": row.number, "line": row.line, "problem": row.problem} for row in bad]
        imported = {"imported": len(new), "there_already": there}
        print_json({**imported, "left_out": told, "remarks": remarks})
        return
    also = f", {there} were there already" if there else ""
    output().print(f"{counted(len(new), 'score')} imported from {file}{also}.", soft_wrap=True)
    for remark in remarks:
        messages().print(remark, markup=False, soft_wrap=True)
    if bad:
        missing = still_left_out(left_out, all_scores(store, rubric, None))
        later = _named_later(len(bad), len(missing))
        message = f"Left out {counted(len(bad), 'row')}: {later}:\n{_listed(bad)}"
        messages().print(message, markup=False)


def _named_later(left_out: int, missing: int) -> str:
    """Which of the rows later figures name: a row beside a score that there is loses nothing."""
    if missing == left_out:
        return "later figures name all of them"
    there = left_out - missing
    rest = f"for the other {there} the store has a score by the same grader"
    if not missing:
        rest = "for each the store has a score by the same grader"
    return f"later figures name {missing or 'none'} of them, {rest}"


def _listed(bad: Sequence[BadRow]) -> str:
    more = [f"  and {len(bad) - SHOWN} more"] if len(bad) > SHOWN else []
    return "\n".join([*(f"  {row}" for row in bad[:SHOWN]), *more])
