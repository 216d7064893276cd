"""`polyassay leaderboard check`."""

import dataclasses
import gzip
import random
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from polyassay.candidates import ProgramMaker
from polyassay.candidates.answers import read_answers
from polyassay.candidates.selection import Selection
from polyassay.candidates.sources import Sources, harmless_remarks, lost_answers
from polyassay.cli.beginning import begin, load_suites, refuse_apart
from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.cli.housekeeping.moving import suite_here
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
    flag_findings,
    other_board_findings,
    provenance_findings,
    suite_findings,
)
from polyassay.measures.submitting.likeness import likeness_findings
from polyassay.measures.submitting.names import without_built_in
from polyassay.measures.submitting.sampling import number_findings
from polyassay.measures.submitting.shapes import ShapeReader
from polyassay.model import Candidate, CandidateKey, Program, Suite
from polyassay.options import Options
from polyassay.shown_text import in_a_line
from polyassay.store import Run, Store
from polyassay.store.moving.run_file import BEGINNING, Arrival, import_run
from polyassay.suites.make import content_problem
from polyassay.suites.registry import Registry
from polyassay.wording import counted


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-s", "--suite", "suites", multiple=True, metavar="SUITE", help="For answers: what they answer."
)
@click.option("--like", metavar="RUN", help="For answers: suites and flags as of this run.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="For answers: only the first N tasks."
)
@click.option(
    "--task", "tasks", multiple=True, metavar="ID", help="For answers: only this task; repeat it."
)
@click.option("--timeout", type=float, metavar="S", help="For answers: CPU seconds a test.")
@click.option(
    "--judge",
    type=click.Choice(["auto", "apart", "together"]),
    default="auto",
    help="For answers: as of `run`.",
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
    like: str | None,
    tasks: tuple[str, ...],
    only: int | None,
    without_judging: bool,
    jobs: int | None,
    store_url: str | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Checks a submission: a file of `runs export`, or answers.

    Nothing in it is believed. Suites, ids, names, completeness, duplicates and provenance are
    looked at, and all answers are judged here; a run's verdicts are compared with what comes out.
    Nothing is kept: `runs import` does that afterwards. Exits 0 if the file can be ranked (lines
    with ! need a look first), 100 if it must not be (lines with ✗ say why), 1 if not all answers
    were judged here (as with --only), and 2 if it cannot be read.

    \b
    polyassay leaderboard check finch.gz
    polyassay leaderboard check answers.jsonl -s starter-java
    polyassay leaderboard check answers.jsonl --like latest
    """
    own = open_store(store_url)
    chosen = _Chosen(suites, tasks, Options(**flags), own.run(like) if like else None)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/sent.sqlite")
        if _is_run(file):
            chosen.refuse_for(file)
            sent = _of_run(store, import_run(store, file, lambda _: "", suite_here), own)
        else:
            sent = _of_answers(file, chosen, own)
        replayed = None
        if not without_judging and not any(found.refuses for found in sent.findings):
            replayed = _judge(store, sent, only, jobs)
            sent.findings.extend(replayed.findings)
        store.close()
    if as_json:
        print_json(_as_json(file, sent.findings, replayed))
    else:
        _print(file, sent, replayed, only)
    if any(found.refuses for found in sent.findings):
        return THRESHOLD_MISSED
    return int(replayed is None or _judged(replayed) < len(sent.candidates))


def _judged(replayed: Replayed) -> int:
    return replayed.judged - replayed.not_judged


@dataclass(frozen=True, slots=True)
class _Sent:
    findings: list[Finding]
    candidates: list[Candidate]
    suites: Mapping[str, Suite] = field(default_factory=dict)  # those of them that are here
    options: Options = Options()  # noqa: RUF009 – it is frozen
    run: str = ""  # in the store of what was sent; empty for answers, which have no verdicts


def _is_run(file: Path) -> bool:
    try:
        if file.is_file() and not file.stat().st_size:
            raise PolyAssayError(f"{file} is empty.", hint="It has to be sent again.")
        with gzip.open(file) as unpacked:
            return unpacked.read(len(BEGINNING)) == BEGINNING
    except (gzip.BadGzipFile, EOFError, zlib.error, IsADirectoryError):
        return False
    except OSError as error:
        raise PolyAssayError(
            f"{file} cannot be read: {error.strerror}.", hint="Check the path."
        ) from None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """For answers: to which suites they are, and under which flags they are judged."""

    names: Sequence[str]
    tasks: Sequence[str]
    flags: Options
    like: Run | None

    def refuse_for(self, file: Path) -> None:
        if self != _Chosen((), (), Options(), None):
            raise PolyAssayError(
                f"{file} is a run, and says itself which suites and flags it had.",
                hint="Leave -s, --like, --limit, --task, --timeout and --judge out.",
            )

    def suites(self, file: Path) -> Mapping[str, Suite]:
        names = self.names or (list(self.like.provenance["suites"]) if self.like else ())
        if not names:
            raise PolyAssayError(
                f"{file} is no exported run, so it is read as answers: no suite was named.",
                hint="Give -s SUITE, or --like RUN; `polyassay suites list` shows all suites.",
            )
        found = load_suites(names)
        for name, suite in found.items():
            had = self.like.provenance["suites"].get(name) if self.like else None
            if self.like and (had is None or had["checksum"] != suite.checksum):
                raise PolyAssayError(
                    f"Run {self.like.id} is of another version of {name}, or not of {name}.",
                    hint="Name a run of the suite that is here; `polyassay runs list` shows all.",
                )
        refuse_apart(self.options(found), found)
        return found

    def options(self, suites: Mapping[str, Suite]) -> Options:
        if self.like and (self.tasks or self.flags != Options()):
            raise click.UsageError("--like takes all flags from the run.")
        if self.like:
            return dataclasses.replace(Options.of(self.like.provenance), shake=0)
        return dataclasses.replace(self.flags, tasks=Selection(self.tasks).named(suites))


def _of_run(store: Store, arrival: Arrival, own: Store) -> _Sent:
    run = arrival.run
    sent = store.suites(run)
    registry = Registry(home())
    here = {name: registry.load(name) for name in sent if name in registry.names()}
    problems = {name: content_problem(suite) for name, suite in sent.items()}
    candidates = list(store.candidates(run.id))
    claimed = Counter(verdict.outcome for verdict in store.verdicts(run.id))
    options = Options.of(run.provenance)
    tools = ", ".join(run.provenance["candidates"]["tools"])
    many = counted(len(candidates), "answer")
    findings = [Finding("format", f"Run {run.id} of {tools}, {many}.")]
    if arrival.label:
        told = f'It brings the label "{arrival.label}", which `runs import` leaves out.'
        findings.append(Finding("label", told))
    findings += suite_findings(sent, here, problems)
    findings += condition_findings(run, claimed, len(candidates))
    findings += other_board_findings(run, here, own.runs())
    ranked, built_in = without_built_in(candidates)
    findings += [*built_in, *_of_candidates(ranked, here, options, own)]
    return _Sent(findings, ranked, here, options, run.id)


def _of_candidates(
    candidates: Sequence[Candidate], suites: Mapping[str, Suite], options: Options, own: Store
) -> Iterator[Finding]:
    yield from completeness_findings(candidates, options.apply(suites))
    yield from number_findings(candidates)
    with ShapeReader() as reader:
        programs = _programs(candidates, suites)
        yield from likeness_findings(programs, suites, own, reader.shape)
    yield from provenance_findings(candidates)


def _programs(
    candidates: Sequence[Candidate], suites: Mapping[str, Suite]
) -> dict[CandidateKey, Program]:
    """What is taken out of each answer, in a helper process; of an unknown task, all of it."""
    tasks = {(name, task.id): task for name, suite in suites.items() for task in suite.tasks}
    ordered = sorted(candidates, key=lambda candidate: candidate.key)
    known = [one for one in ordered if (one.key.suite, one.key.task) in tasks]
    programs = {one.key: Program("", code=one.answer) for one in candidates}
    with ProgramMaker() as maker:
        made = maker.make_all([(tasks[one.key.suite, one.key.task], one) for one in known])
    return programs | {one.key: program for one, program in zip(known, made, strict=True)}


def _of_answers(file: Path, chosen: _Chosen, own: Store) -> _Sent:
    suites = chosen.suites(file)
    options = chosen.options(suites)
    answers = read_answers(file, file.name.partition(".")[0], suites, skip_bad=True)
    many = counted(len(answers.candidates), "answer")
    findings = [Finding("format", f"{many} in the format {answers.format}.")]
    for remark in lost_answers(answers, suites):
        findings.append(Finding("ids", remark if remark.endswith("?") else f"{remark}.", True))
    findings += [Finding("ids", f"{remark}.") for remark in harmless_remarks(answers)]
    asked = {(s.name, task.id) for s in options.apply(suites).values() for task in s.tasks}
    candidates = [one for one in answers.candidates if (one.key.suite, one.key.task) in asked]
    if out := len(answers.candidates) - len(candidates):
        told = f"{counted(out, 'answer')} to tasks that do not count here: left out."
        findings.append(Finding("ids", told))
    findings += flag_findings(dataclasses.asdict(options))
    ranked, built_in = without_built_in(candidates)
    findings += [*built_in, *_of_candidates(ranked, suites, options, own)]
    return _Sent(findings, ranked, suites, options)


def _judge(store: Store, sent: _Sent, only: int | None, jobs: int | None) -> Replayed:
    """In a store that is thrown away, with the suites that are here."""
    candidates = sent.candidates
    if only is not None and only < len(candidates):
        candidates = random.SystemRandom().sample(candidates, only)
    harnesses = Harnesses(sent.options.settings(home(), jobs))
    begun = begin(store, sent.suites, Sources(candidates), harnesses, sent.options)
    execute_pending(store, begun, sent.options.apply(sent.suites), harnesses, None)
    here = list(store.verdicts(begun.id))
    return compare_verdicts(store.verdicts(sent.run) if sent.run else None, here)


def _as_json(file: Path, findings: Sequence[Finding], replayed: Replayed | None) -> dict[str, Any]:
    refused = any(found.refuses for found in findings)
    return {
        "file": str(file),
        "can_be_ranked": False if refused else True if replayed else None,
        "to_look_at": sum(found.look for found in findings),
        "findings": [
            {
                "about": found.about,
                "refuses": found.refuses,
                "look": found.look,
                "text": found.text,
            }
            for found in findings
        ],
        "judged_again": replayed.judged if replayed else 0,
        "same": replayed.same if replayed else 0,
    }


def _print(file: Path, sent: _Sent, replayed: Replayed | None, only: int | None) -> None:
    console = output()
    for found in sent.findings:
        line = f"{found.sign} {found.about:<12} {found.text}"
        console.print(in_a_line(line), markup=False, soft_wrap=True)
    told = in_a_line(_conclusion(file, sent, replayed, only))
    console.print(told, style="bold", markup=False, soft_wrap=True)


def _conclusion(file: Path, sent: _Sent, replayed: Replayed | None, only: int | None) -> str:
    """Nothing that was not judged here is said to be fit for a board."""
    if any(found.refuses for found in sent.findings):
        return f"{file} must not be ranked: see ✗."
    look = "; look at the lines with ! first" if any(found.look for found in sent.findings) else ""
    if replayed is None:
        return f"Nothing against {file} was found; its verdicts were not judged here{look}."
    judged, all_ = _judged(replayed), len(sent.candidates)
    drawn = f" (--only {only})" if only and only < all_ else ""
    tell = f", as far as {judged} of {counted(all_, 'answer')} tell{drawn}"
    part = tell if judged < all_ else ""
    return f"{file} can be ranked{part}{look}."
