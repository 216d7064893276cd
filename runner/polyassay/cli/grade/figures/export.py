"""`polyassay grade export`."""

from pathlib import Path

import click

from polyassay.cli.common import json_option, messages, open_store, print_json, store_option
from polyassay.cli.grade.common import clusters, rubric_option, suite_option
from polyassay.cli.grade.files import JSONL
from polyassay.errors import PolyAssayError
from polyassay.report.grading.papers import Graded, latex_text, methods
from polyassay.rubric import agreement
from polyassay.rubric.figures.agreeing import agreement_of
from polyassay.rubric.figures.anonymous import anonymous
from polyassay.rubric.figures.comparing import every_pair
from polyassay.rubric.figures.preferring import preference_figures
from polyassay.rubric.figures.summary import summarise
from polyassay.rubric.files import as_dict, write_csv, write_jsonl
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.stored import all_preferences, all_scores, left_out_rows, used_rubric
from polyassay.store.graders import Graders
from polyassay.store.scores import Scores


@click.command("export")
@click.option(
    "-o", "--output", "file", type=click.Path(path_type=Path), help="Where to [standard output]."
)
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), help="[by the name, or csv]")
@click.option("--latex", is_flag=True, help="Tables and a methods paragraph for a paper instead.")
@click.option("--methods", "prose", is_flag=True, help="The methods paragraph alone, as text.")
@click.option("--anonymous", "hide", is_flag=True, help="Without the graders' names.")
@rubric_option
@suite_option
@store_option
@json_option
def export_scores(
    file: Path | None,
    form: str | None,
    latex: bool,
    prose: bool,
    hide: bool,
    rubric_name: str | None,
    suite: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Writes scores as files that `grade import` reads, or figures for a paper.

    CSV has one row a score; JSONL also has second showings and decisions.

    \b
    polyassay grade export -o scores.csv
    polyassay grade export --anonymous -o public.csv
    polyassay grade export --latex -o tables.tex
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    scores = all_scores(store, rubric, suite)
    if hide and scores:
        scores = anonymous(scores)
    if as_json:
        print_json([as_dict(score) for score in scores])
        return
    what = "Figures"
    if latex or prose:
        graded = _graded(store, rubric, suite)
        text = latex_text(graded) if latex else methods(graded) + "\n"
    else:
        jsonl = form == "jsonl" or (form is None and file is not None and file.suffix in JSONL)
        text = write_jsonl(scores) if jsonl else write_csv(scores)
        what = f"{text.count(chr(10)) - (not jsonl)} scores"
        if file is not None and form is None and file.suffix not in {*JSONL, ".csv"}:
            what += " as CSV, which the name does not say,"
    if file is None:
        click.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise PolyAssayError(
            f"{file} cannot be written: {error.strerror}.", hint="Name another file with -o."
        ) from None
    messages().print(f"{what} are in {file}.", soft_wrap=True)


def _graded(store: Scores, rubric: Rubric, suite: str | None) -> Graded:
    """What a paper says; it names no grader, so there is nothing to hide."""
    scores = all_scores(store, rubric, suite)
    events = store.events(rubric=rubric.name, kind="score")
    cluster_of = clusters()
    return Graded(
        summarise(rubric, scores, left_out_rows(store, rubric)),
        scores,
        {d.id: agreement_of(agreement.ratings(scores, d.id), d) for d in rubric.dimensions},
        every_pair(rubric, scores, cluster_of),
        preference_figures(all_preferences(store, rubric, suite), "", cluster_of),
        Graders(store.opened).calibration(rubric.name, suite),
        blind=bool(events) and all(event.session for event in events),
    )
