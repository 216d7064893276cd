"""`polyassay power`."""

from collections import Counter
from pathlib import Path

import click

from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.figures.power import plan_grading
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.planning import Spread, assumed, spread_of
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.passk import parse_ks
from polyassay.measures.results import load
from polyassay.measures.units import cluster_of
from polyassay.model import Style
from polyassay.report.comparing.power import (
    PowerPlan,
    plan_json,
    plan_table,
    svg_picture,
    text_picture,
)
from polyassay.report.tables import rich_table
from polyassay.store import Store
from polyassay.store.scores import Scores
from polyassay.suites.registry import Registry


@click.command()
@click.option(
    "-s",
    "--suite",
    "suites",
    multiple=True,
    metavar="SUITE",
    help="Whose tasks will be asked; of several suites, the tasks of all [those of --from RUN].",
)
@click.option(
    "--difference",
    type=click.FloatRange(0, 100, min_open=True),
    required=True,
    metavar="POINTS",
    help="The true difference that shall be shown: in pass@1, or of scores with --graders.",
)
@click.option("--samples", default="1,5,10", metavar="N,…", help="Samples of a task [1,5,10].")
@click.option("--graders", metavar="N,…", help="Plan grading by so many people instead.")
@click.option("--rubric", metavar="NAME|FILE", help="Which rubric is graded by [aixbench].")
@click.option("--dimension", metavar="D", help="Which of its dimensions [the first].")
@click.option("--from", "run", metavar="RUN", help="Take the spread from this run's tools.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also draw it as an SVG.",
)
@store_option
@json_option
def power(
    suites: tuple[str, ...],
    difference: float,
    samples: str,
    graders: str | None,
    rubric: str | None,
    dimension: str | None,
    run: str | None,
    picture: Path | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Says how many tasks and samples it takes to show a difference, before any is asked.

    Two tools differ on a task because one is better at it, or by the luck of a sample. More
    samples take the luck out, more tasks take both out.

    \b
    polyassay power --suite starter-java --suite starter-python --difference 5
    polyassay power --suite aixbench --difference 5 --samples 5 --from latest
    polyassay power --suite aixbench-manual --difference 0.3 --graders 1,2,3
    """
    if graders:
        if run or picture:
            raise click.UsageError("--from and --picture do not go with --graders.")
        if len(suites) != 1:
            raise click.UsageError("--graders plans for one suite, which --suite names.")
        store = Scores(open_store(store_url))
        plan_grading(store, suites[0], difference, parse_ks(graders), rubric, dimension, as_json)
        return
    if rubric or dimension:
        raise click.UsageError("--rubric and --dimension go with --graders.")
    names = list(dict.fromkeys(suites or _suites_of(run, store_url)))
    registry = Registry(home())
    tasks = [
        task
        for name in names
        for task in registry.load(name).tasks
        if task.style is not Style.RUBRIC
    ]
    if not tasks:
        raise PolyAssayError(
            f"There are no tests to run in {', '.join(names)}.",
            hint="Plan with a suite that is executed.",
        )
    clusters = Counter(cluster_of(task) for task in tasks)
    spread = _from_run(open_store(store_url), run) if run else assumed(list(clusters.values()))
    chosen = parse_ks(samples)
    plan = PowerPlan(", ".join(names), len(tasks), len(clusters), difference / 100, chosen, spread)
    if picture:
        try:
            picture.write_text(svg_picture(plan), encoding="utf-8")
        except OSError as error:
            raise PolyAssayError(
                f"{picture} cannot be written: {error.strerror}.", hint="Name another file."
            ) from None
    if as_json:
        print_json(plan_json(plan))
        return
    console = output()
    table = plan_table(plan)
    console.print(rich_table(table))
    for line in ["", *text_picture(plan), "", *table.notes]:
        console.print(f" {line}" if line else "", soft_wrap=True, markup=False)


def _suites_of(run: str | None, store_url: str | None) -> list[str]:
    """Those whose tasks a run has; another size would be planned with another suite."""
    if run is None:
        raise click.UsageError("Missing option '-s' / '--suite', or '--from' with a run of them.")
    return list(open_store(store_url).run(run).provenance["suites"])


def _from_run(store: Store, name: str) -> Spread:
    results = load(store, store.run(name))
    rivals = {tool: of for tool, of in results.scores.items() if tool not in (REFERENCE, EMPTY)}
    if len(rivals) < 2:
        raise PolyAssayError(
            f"Run {results.run.id} has {len(rivals)} of the two tools that it takes.",
            hint="Leave --from out, or name a run of two tools.",
        )
    return spread_of(rivals, f"run {results.run.id}")
