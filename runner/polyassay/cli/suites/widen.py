"""`polyassay suites widen`: one-to-many tasks from plain ones; a person decides on each set."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.text import Text

from polyassay.cli.common import home, json_option, open_store, output, print_json, store_option
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, Outcome, Suite, Task
from polyassay.options import Options
from polyassay.store import Store
from polyassay.suites.make import line_of
from polyassay.suites.registry import Registry
from polyassay.widening.answers import met_by_answers, ranked
from polyassay.widening.proposals import MOST, Proposal
from polyassay.widening.tasks import FUNCTION, original_cases, widened
from polyassay.wording import counted

_SHOWN = 3  # assertions of a set
_KEYS = {"y": True, "n": False}


@click.command()
@click.argument("suite")
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The native suite that is written (SUITE-wide.jsonl).",
)
@click.option("--answers", "run", metavar="RUN", help="First what failing answers of a run meet.")
@click.option("--most", type=click.IntRange(1, MOST), default=MOST, help="Proposals a task [12].")
@click.option("--list", "only_list", is_flag=True, help="Only list the proposals; decide nothing.")
@store_option
@json_option
def widen(
    suite: str,
    file: Path | None,
    run: str | None,
    most: int,
    only_list: bool,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Proposes other assertion sets for a suite's Python tasks, and writes those you accept.

    A task that is asked in plain words can be answered with other arguments or results: a tuple
    for a list, arguments in another order, the result with how it was found. Each proposal is
    accepted (y) or rejected (n); s skips the rest of a task, q stops. Decisions are kept beside
    the file as they are made, and the same command goes on.

    \b
    polyassay suites widen mbpp
    polyassay suites widen mbpp --answers latest
    polyassay suites widen mbpp --list --json
    """
    loaded = Registry(home()).load(suite)
    met = _met(open_store(store_url), run, loaded) if run else {}
    found = {task.id: ranked(task, met.get(task.id, Counter()), most) for task in loaded.tasks}
    if only_list or as_json:
        _list(loaded, found, met, as_json)
        return
    if not sys.stdin.isatty():
        raise PolyAssayError(
            "A person decides on each proposal, and this is no terminal.",
            hint="Run it in a terminal, or list the proposals with --list.",
        )
    place = file or Path(f"{suite}-wide.jsonl")
    decisions = Decisions.at(place.with_suffix(".decisions.jsonl"))
    decide(loaded, found, met, decisions, _asked)
    accepted = write(loaded, found, decisions, place)
    output().print(
        f"{place}: {counted(accepted, 'assertion set')} added. Next:  "
        f"polyassay suites add native --from {place}",
        markup=False,
        soft_wrap=True,
    )


@dataclass(slots=True)
class Decisions:
    """What a person said of each proposal; on the disk before the next one is shown."""

    place: Path
    made: dict[tuple[str, str], bool] = field(default_factory=dict)

    @classmethod
    def at(cls, place: Path) -> "Decisions":
        found = cls(place)
        for line in place.read_text().splitlines() if place.is_file() else ():
            row = json.loads(line)
            found.made[row["task"], row["set"]] = row["accepted"]
        return found

    def add(self, task: str, name: str, accepted: bool) -> None:
        self.made[task, name] = accepted
        with self.place.open("a") as file:
            file.write(json.dumps({"task": task, "set": name, "accepted": accepted}) + "\n")


Ask = Callable[[Task, Proposal, int], str]  # with how many answers meet it → y, n, s or q


def decide(
    suite: Suite,
    found: Mapping[str, list[Proposal]],
    met: Mapping[str, Counter[str]],
    decisions: Decisions,
    ask: Ask,
) -> None:
    """Shows what was not decided yet, task by task, until the person stops."""
    for task in suite.tasks:
        for proposal in found[task.id]:
            if (task.id, proposal.name) in decisions.made:
                continue
            answer = ask(task, proposal, met.get(task.id, Counter())[proposal.name])
            if answer == "q":
                return
            if answer == "s":
                break
            decisions.add(task.id, proposal.name, _KEYS[answer])


def write(
    suite: Suite, found: Mapping[str, list[Proposal]], decisions: Decisions, place: Path
) -> int:
    """All tasks, with what was accepted; returns how many sets that is."""
    lines, count = [], 0
    for task in suite.tasks:
        accepted = [each for each in found[task.id] if decisions.made.get((task.id, each.name))]
        count += len(accepted)
        lines.append(line_of(widened(task, accepted)) + "\n")
    place.write_text("".join(lines), "utf-8")
    return count


def _asked(task: Task, proposal: Proposal, meeting: int) -> str:
    console = output()
    prompt = next(iter(task.prompts.values()), "").strip()
    console.print(Text(f"\n{task.id}  {prompt}"), soft_wrap=True)
    cases = original_cases(task) or ()
    for title, shown in (("now", cases), (proposal.name, proposal.cases)):
        console.print(Text(f"  {title}"))
        for case in shown[:_SHOWN]:
            console.print(Text(f"    {case.expression(FUNCTION)}"), soft_wrap=True)
    if meeting:
        console.print(f"  {counted(meeting, 'failing answer meets', 'failing answers meet')} it")
    choices = click.Choice(["y", "n", "s", "q"])
    return str(click.prompt("Accept it too?", type=choices))


def _met(store: Store, name: str, suite: Suite) -> dict[str, Counter[str]]:
    run = store.run(name)
    failed = {
        verdict.candidate
        for verdict in store.verdicts(run.id)
        if verdict.candidate.suite == suite.name and verdict.outcome is Outcome.FAILED
    }

    def failing() -> Iterator[Candidate]:
        for candidate in store.candidates(run.id):
            if candidate.key in failed:
                yield candidate

    tasks = {task.id: task for task in suite.tasks}
    return met_by_answers(tasks, failing(), Options().settings(home()))


def _list(
    suite: Suite,
    found: Mapping[str, list[Proposal]],
    met: Mapping[str, Counter[str]],
    as_json: bool,
) -> None:
    for task in suite.tasks:
        for proposal in found[task.id]:
            tests = [case.expression(FUNCTION) for case in proposal.cases]
            meeting = met.get(task.id, Counter())[proposal.name]
            if as_json:
                row = {"task": task.id, "set": proposal.name, "tests": tests, "answers": meeting}
                print_json(row)
            else:
                line = f"{task.id}  {proposal.name}  {tests[0]}"
                output().print(Text(line), soft_wrap=True)
