"""`polyassay measures`."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from polyassay.candidates import ProgramMaker
from polyassay.candidates.sources import read_sources
from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    print_json,
    store_option,
)
from polyassay.cli.results.score import show_table
from polyassay.errors import PolyAssayError
from polyassay.measures.measuring.figures import tool_figures
from polyassay.measures.measuring.measurer import Measurer
from polyassay.measures.measuring.names import READABILITY
from polyassay.measures.measuring.of_run import all_measured, lint_run, measure_run
from polyassay.measures.measuring.request import (
    Flavour,
    Publisher,
    Rules,
    ToMeasure,
    to_measure,
)
from polyassay.measures.measuring.rows import Row, by_tool, rows_of
from polyassay.measures.measuring.suite import suite_statistics
from polyassay.measures.measuring.versions import versions
from polyassay.measures.units import TaskKey
from polyassay.measures.worth.mining import Contradiction, mine
from polyassay.measures.worth.pairs import solved_pairs
from polyassay.measures.worth.summary import Worth, judged_samples, known_measures, worth
from polyassay.model import Candidate, Task
from polyassay.report.measures.as_json import (
    case_json,
    flavour_json,
    pair_json,
    sample_json,
    worth_json,
)
from polyassay.report.measures.pictures import alone, pictures
from polyassay.report.measures.tables import (
    cases_table,
    pairs_table,
    suite_tables,
    tools_table,
    worth_table,
)
from polyassay.store import Store
from polyassay.suites.registry import Registry
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is printed or written."""

    samples: bool
    best_of: int
    measure: str
    cases: int
    export: Path | None
    pictures: Path | None
    as_json: bool


@click.command()
@click.argument("run", required=False)
@click.option("-s", "--suite", "suites", multiple=True, metavar="SUITE", help="Without a run.")
@click.option(
    "-c",
    "--candidates",
    multiple=True,
    metavar="[TOOL=]PATH",
    help="Without a run: what a tool wrote; nothing of it is executed.",
)
@click.option(
    "--flavour",
    type=click.Choice([flavour.value for flavour in Flavour]),
    default=Flavour.STANDARD.value,
    help="published: as ODEX's and ExeDS' own scripts compute it [standard].",
)
@click.option(
    "--publisher",
    type=click.Choice([publisher.value for publisher in Publisher]),
    help="Whose script, with --flavour published [exeds for notebook cells, else odex].",
)
@click.option(
    "--codebleu-characters",
    "characters",
    is_flag=True,
    help="CodeBLEU with the defect that ODEX's tables have, with --flavour published.",
)
@click.option(
    "--passing-references", "passing", is_flag=True, help="Other answers that pass count as well."
)
@click.option("--samples", is_flag=True, help="One line a sample.")
@click.option("--best-of", type=click.IntRange(1), default=None, metavar="K", help="Best of K.")
@click.option("--measure", default="bleu", help="What --cases goes by [bleu].")
@click.option(
    "--cases", type=click.IntRange(0), default=0, metavar="N", help="Mine N cases a side."
)
@click.option("--export", type=click.Path(path_type=Path), help="Cases as JSON lines.")
@click.option("--pictures", type=click.Path(path_type=Path), help="A folder for SVG files.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Helper processes [cores].")
@click.option("--format", "answer_format", help="The answers' format, where guessing fails.")
@click.option("--skip-bad", is_flag=True, help="Leave lines out that cannot be read.")
@store_option
@json_option
def measures(
    run: str | None,
    suites: tuple[str, ...],
    candidates: tuple[str, ...],
    flavour: str,
    publisher: str | None,
    characters: bool,
    passing: bool,
    jobs: int | None,
    answer_format: str | None,
    skip_bad: bool,
    store_url: str | None,
    **printed: Any,
) -> None:
    """Compares answers' text with references, and says what such figures are worth.

    \b
    polyassay measures latest
    polyassay measures latest --cases 5 --measure codebleu
    polyassay measures -s odex -c mine=answers.jsonl --flavour published --samples --json
    polyassay measures -s odex      (what the suite itself is like)
    """
    rules = _rules(flavour, publisher, characters, passing)
    wanted = Wanted(best_of=printed.pop("best_of") or 0, **printed)
    processes = jobs or os.cpu_count() or 1
    if run and (suites or candidates):
        raise click.UsageError("Give a run, or suites and candidates, not both.")
    if run:
        rows, told = _of_run(open_store(store_url), run, rules, processes)
    elif suites and candidates:
        if rules.passing:
            raise click.UsageError("--passing-references needs a run: nothing is executed here.")
        rows, told = _of_answers(suites, candidates, rules, processes, answer_format, skip_bad), {}
    elif suites:
        _print_suites(suites, wanted.as_json)
        return
    else:
        raise click.UsageError("Give a run, or -s SUITE and -c [TOOL=]PATH.")
    if wanted.samples:
        _print_samples(rows)
    else:
        _print_figures(rows, rules, told, wanted)


def _rules(flavour: str, publisher: str | None, characters: bool, passing: bool) -> Rules:
    if flavour == Flavour.STANDARD and (publisher or characters):
        raise PolyAssayError(
            "The standard flavour has neither a publisher nor its defects.",
            hint="Add --flavour published.",
        )
    return Rules(Flavour(flavour), Publisher(publisher) if publisher else None, characters, passing)


def _of_run(store: Store, name: str, rules: Rules, jobs: int) -> tuple[list[Row], dict[str, str]]:
    run = store.run(name)
    tasks = _tasks(store.suites(run).values())
    measured = measure_run(store, run, tasks, rules, jobs, lambda count: None)
    lint_run(store, run, tasks)
    if measured:
        messages().print(f"Measured {counted(measured, 'answer')} of run {run.id}.")
    passed = {
        verdict.candidate: verdict.outcome == "passed"
        for verdict in store.verdicts(run.id)
        if verdict.outcome.counts
    }
    return rows_of(all_measured(store, run, rules.name), tasks, passed), {"run": run.id}


def _tasks(suites: Any) -> dict[TaskKey, Task]:
    return {(task.suite, task.id): task for suite in suites for task in suite.tasks}


def _of_answers(
    suites: Sequence[str],
    names: Sequence[str],
    rules: Rules,
    jobs: int,
    answer_format: str | None,
    skip_bad: bool,
) -> list[Row]:
    registry = Registry(home())
    loaded = {name: registry.load(name) for name in suites}
    sources = read_sources(names, loaded, answer_format, skip_bad, None, to_grade=True)
    for remark in sources.remarks:
        messages().print(remark, markup=False, soft_wrap=True)
    tasks = _tasks(loaded.values())
    with Measurer(jobs) as measurer:
        found = list(measurer.measure(_prepared(sources.candidates, tasks, rules)))
    return rows_of(found, tasks)


def _prepared(
    candidates: Sequence[Candidate], tasks: Mapping[TaskKey, Task], rules: Rules
) -> Iterator[ToMeasure]:
    """The code of every answer, taken from it in the program maker's helper process."""
    ordered = sorted(candidates, key=lambda candidate: candidate.key)
    with ProgramMaker() as maker:
        for candidate in ordered:
            task = tasks[candidate.key.suite, candidate.key.task]
            program = maker.make(task, candidate)
            yield to_measure(task, candidate.key, candidate.answer, program, rules)


def _print_suites(names: Sequence[str], as_json: bool) -> None:
    """Statistics of the suites themselves."""
    registry = Registry(home())
    found = {name: suite_statistics(registry.load(name)) for name in names}
    if as_json:
        print_json({"suites": {name: asdict(one) for name, one in found.items()}})
        return
    for name, one in found.items():
        for table in suite_tables(name, one):
            show_table(table, "terminal")


def _print_samples(rows: Sequence[Row]) -> None:
    for row in rows:
        click.echo(json.dumps(sample_json(row), ensure_ascii=True))


def _print_figures(
    rows: Sequence[Row], rules: Rules, told: Mapping[str, str], wanted: Wanted
) -> None:
    tools = [
        tool_figures(tool, of, rules.flavour, wanted.best_of) for tool, of in by_tool(rows).items()
    ]
    found = worth(rows, known_measures(rows))
    cases = _mined(rows, wanted)
    pairs = solved_pairs(rows, [name for name in known_measures(rows) if name in READABILITY])
    if wanted.pictures:
        _write_pictures(rows, found, wanted.pictures)
    if wanted.as_json:
        print_json(
            dict(told)
            | flavour_json(rules.name, versions(), tools)
            | {"best_of": wanted.best_of or None}
            | {"worth": {one.measure: worth_json(one) for one in found}}
            | {"cases": [case_json(case) for case in cases]}
            | {"solved_by_both": [pair_json(pair) for pair in pairs]}
        )
        return
    show_table(tools_table(rules.name, tools, wanted.best_of), "terminal")
    if found:
        show_table(worth_table(found), "terminal")
    for pair in pairs:
        show_table(pairs_table(pair), "terminal")
    if cases:
        show_table(cases_table(cases), "terminal")


def _write_pictures(rows: Sequence[Row], found: Sequence[Worth], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures(rows, found).items():
        (folder / f"{name}.svg").write_text(alone(svg), encoding="utf-8")


def _mined(rows: Sequence[Row], wanted: Wanted) -> list[Contradiction]:
    if not wanted.cases and not wanted.export:
        return []
    cases = mine(judged_samples(rows), wanted.measure, wanted.cases or 20)
    if wanted.export:
        lines = (json.dumps(case_json(case), ensure_ascii=True) + "\n" for case in cases)
        wanted.export.write_text("".join(lines), encoding="utf-8")
    return cases
