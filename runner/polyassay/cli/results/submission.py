"""`polyassay leaderboard check`."""

import gzip
import random
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from polyassay.candidates.answers import read_answers
from polyassay.candidates.sources import Sources, remarks_on
from polyassay.cli.beginning import begin, load_suites
from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.cli.results.thresholds import THRESHOLD_MISSED
from polyassay.cli.run import execute_pending
from polyassay.errors import PolyAssayError
from polyassay.harness.table import Harnesses
from polyassay.measures.submitting.findings import (
    Finding,
    Replayed,
    compare_verdicts,
    completeness_findings,
    condition_findings,
    likeness_findings,
    provenance_findings,
    suite_findings,
)
from polyassay.model import Candidate, Suite
from polyassay.options import Options
from polyassay.store import Run, Store
from polyassay.store.moving.run_file import BEGINNING, import_run
from polyassay.suites.registry import Registry
from polyassay.wording import counted

# What a sent run may decide about how it is judged again; never paths, engines or sandboxes.
_TAKEN: Mapping[str, type | tuple[type, ...]] = {
    "timeout": (int, float),
    "limit": int,
    "eval_tests": int,
    "hold_out": int,
    "test_seed": int,
    "published_totals": bool,
}
_CHOICES = {"judge": ("auto", "apart", "together"), "comparison": ("default", "exeds")}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-s", "--suite", "suites", multiple=True, metavar="SUITE", help="For answers: what they answer."
)
@click.option(
    "--only", type=click.IntRange(1), metavar="N", help="Judge N answers, drawn at random."
)
@click.option("--without-judging", is_flag=True, help="Do not judge the answers again.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Candidates at a time [cores].")
@store_option
@json_option
def check(
    file: Path,
    suites: tuple[str, ...],
    only: int | None,
    without_judging: bool,
    jobs: int | None,
    store_url: str | None,
    as_json: bool,
) -> int:
    """Checks what somebody sent: a file of `runs export`, or answers.

    Nothing in it is believed. Suites, ids, completeness, duplicates and provenance are looked at,
    and a run's answers are judged again here and compared with its verdicts. Nothing is kept:
    `runs import` does that afterwards. Exits 0 if the file can be ranked, 100 if it must not be,
    1 if some answers could not be judged here, and 2 if it cannot be read.

    \b
    polyassay leaderboard check finch.gz
    polyassay leaderboard check answers.jsonl -s starter-java
    """
    own = open_store(store_url)
    replayed = None
    if _is_run(file):
        with tempfile.TemporaryDirectory() as folder:
            store = Store.open(f"sqlite:///{folder}/sent.sqlite")
            run, _ = import_run(store, file)
            findings = list(_of_run(store, run, own))
            if not without_judging and not any(found.refuses for found in findings):
                replayed = _judge_again(store, run, only, jobs)
                findings += replayed.findings
            store.close()
    else:
        findings = list(_of_answers(file, load_suites(suites), own))
    refused = any(found.refuses for found in findings)
    if as_json:
        print_json(_as_json(file, findings, replayed))
    else:
        _print(file, findings, refused)
    if refused:
        return THRESHOLD_MISSED
    return int(replayed is not None and replayed.not_judged > 0)


def _is_run(file: Path) -> bool:
    try:
        with gzip.open(file) as unpacked:
            return unpacked.read(len(BEGINNING)) == BEGINNING
    except (gzip.BadGzipFile, EOFError, zlib.error, IsADirectoryError):
        return False
    except OSError as error:
        raise PolyAssayError(
            f"{file} cannot be read: {error.strerror}.", hint="Check the path."
        ) from None


def _of_run(store: Store, run: Run, own: Store) -> Iterator[Finding]:
    sent = store.suites(run)
    registry = Registry(home())
    here = {name: registry.load(name) for name in sent if name in registry.names()}
    candidates = list(store.candidates(run.id))
    tools = ", ".join(run.provenance["candidates"]["tools"])
    yield Finding("format", f"Run {run.id} of {tools}, {counted(len(candidates), 'answer')}.")
    yield from suite_findings(sent, here)
    yield from condition_findings(run, store.count_verdicts(run.id), len(candidates))
    yield from _of_candidates(candidates, here, own)


def _of_candidates(
    candidates: Sequence[Candidate], suites: Mapping[str, Suite], own: Store
) -> Iterator[Finding]:
    yield from completeness_findings(candidates, suites)
    yield from likeness_findings(candidates, suites, own)
    yield from provenance_findings(candidates)


def _of_answers(file: Path, suites: Mapping[str, Suite], own: Store) -> Iterator[Finding]:
    """Answers have no verdicts to compare; `polyassay run` gives them some."""
    answers = read_answers(file, file.name.partition(".")[0], suites, skip_bad=True)
    many = counted(len(answers.candidates), "answer")
    yield Finding("format", f"{many} in the format {answers.format}.")
    bad = bool(answers.unknown or answers.duplicates or answers.bad_lines)
    for remark in remarks_on(answers, suites):
        yield Finding("ids", remark if remark.endswith("?") else f"{remark}.", bad)
    yield from _of_candidates(answers.candidates, suites, own)


def _judge_again(store: Store, run: Run, only: int | None, jobs: int | None) -> Replayed:
    """In the store of the sent run, with the suites that are here."""
    registry = Registry(home())
    suites = {name: registry.load(name) for name in run.provenance["suites"]}
    candidates = list(store.candidates(run.id))
    if only is not None and only < len(candidates):
        candidates = random.SystemRandom().sample(candidates, only)
    options = _options(run)
    harnesses = Harnesses(options.settings(home(), jobs))
    begun = begin(store, suites, Sources(candidates), harnesses, options)
    execute_pending(store, begun, options.apply(suites), harnesses, None)
    return compare_verdicts(store.verdicts(run.id), store.verdicts(begun.id))


def _options(run: Run) -> Options:
    """The sent run's own, as far as they only choose tasks, tests and limits."""
    told = run.provenance.get("options")
    told = told if isinstance(told, dict) else {}
    taken: dict[str, Any] = {}
    for name, kind in _TAKEN.items():
        value = told.get(name)
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            taken[name] = value
    for name, choices in _CHOICES.items():
        if told.get(name) in choices:
            taken[name] = told[name]
    pairs = told.get("tasks")
    tasks = [tuple(pair) for pair in pairs] if isinstance(pairs, list) else []
    return Options(**taken, tasks=tuple(tasks))


def _as_json(file: Path, findings: Sequence[Finding], replayed: Replayed | None) -> dict[str, Any]:
    return {
        "file": str(file),
        "can_be_ranked": not any(found.refuses for found in findings),
        "findings": [
            {"about": found.about, "refuses": found.refuses, "text": found.text}
            for found in findings
        ],
        "judged_again": replayed.judged if replayed else 0,
        "same": replayed.same if replayed else 0,
    }


def _print(file: Path, findings: Sequence[Finding], refused: bool) -> None:
    console = output()
    for found in findings:
        sign = "✗" if found.refuses else "·"
        console.print(f"{sign} {found.about:<12} {found.text}", markup=False, soft_wrap=True)
    verdict = f"{file} must not be ranked." if refused else f"{file} can be ranked."
    console.print(verdict, style="bold", markup=False, soft_wrap=True)
