"""`polyassay collect new`, `status` and `take`."""

import sys
from pathlib import Path

import click

from polyassay.cli.collect.run import run
from polyassay.cli.common import home, json_option, messages, output, print_json
from polyassay.collect import manifest, records, take
from polyassay.collect.manifest import MODES, About, Manifest
from polyassay.collect.project import Wanted, lay_out
from polyassay.collect.state import State, Status, status
from polyassay.errors import PolyAssayError
from polyassay.suites.registry import Registry
from polyassay.wording import counted, some

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def collect() -> None:
    """Answers from a tool that lives in an editor, or from an agent that edits files."""


collect.add_command(run)


@collect.command("new")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("-s", "--suite", "suites", multiple=True, metavar="SUITE", help="What to answer.")
@click.option(
    "--task", "tasks", multiple=True, metavar="ID", help="Only this task; repeat it [all]."
)
@click.option("--tool", required=True, metavar="NAME", help="Whose answers these will be.")
@click.option("--samples", type=click.IntRange(1, 1000), default=1, metavar="N", help="[1]")
@click.option("--seed", type=int, default=0, metavar="S", help="Of the tasks' order [0].")
@click.option("--prompt-language", default="", metavar="NL", help="[en, else the task's own]")
@json_option
def new(
    folder: Path,
    suites: tuple[str, ...],
    tasks: tuple[str, ...],
    tool: str,
    samples: int,
    seed: int,
    prompt_language: str,
    as_json: bool,
) -> None:
    """Lays a suite out as projects with one stub a task, one project a sample.

    \b
    polyassay collect new copilot -s starter-java --tool copilot --samples 3
    """
    if not suites:
        raise PolyAssayError(
            "No suite was named.", hint="Give -s SUITE; `polyassay suites list` shows all."
        )
    registry = Registry(home())
    loaded = {name: registry.load(name) for name in suites}
    made = lay_out(folder, Wanted(loaded, tool, samples, seed, prompt_language, tasks))
    if as_json:
        print_json({"folder": str(folder), "tool": tool, "stubs": len(made.items)})
        return
    output().print(
        f"{counted(len(made.items), 'stub')} in {counted(samples, 'project')} below {folder}.\n"
        f"Open {folder}/sample-0 in an editor, or let an agent fill it:  "
        f"polyassay collect run {folder} --preset aider\n"
        f"Then:  polyassay collect take {folder} -o {tool}.jsonl"
    )
    if repository := _repository_around(folder):
        messages().print(
            f"{folder} is inside of the Git repository {repository}, whose files and history a "
            "tool may read. A folder elsewhere is fairer."
        )


def _repository_around(folder: Path) -> Path | None:
    parents = folder.resolve().parents
    return next((parent for parent in parents if (parent / ".git").exists()), None)


@collect.command("status")
@click.argument("folder", metavar="DIR", type=FOLDER)
@json_option
def show_status(folder: Path, as_json: bool) -> None:
    """Says which stubs are untouched or filled, and what else was edited.

    \b
    polyassay collect status copilot
    """
    found_manifest = manifest.read(folder)
    found = status(folder, found_manifest)
    if as_json:
        outside = {
            "changed": list(found.changed),
            "deleted": list(found.deleted),
            "added": list(found.added),
        }
        print_json({"tool": found_manifest.tool, **found.counts, "outside": outside})
        return
    _print_status(found_manifest, found)


def _print_status(made: Manifest, found: Status) -> None:
    console = output()
    counts = found.counts
    console.print(
        f"{made.tool}: {counts[State.FILLED]} filled, {counts[State.UNTOUCHED]} untouched, "
        f"{counts[State.EDITED_OUTSIDE]} edited outside of the stub, "
        f"{counts[State.MISSING]} missing"
    )
    for one in found.found:
        if one.problem:
            console.print(f"  {one.item.task}: {one.problem}")
    for what, paths in (
        ("changed", found.changed),
        ("deleted", found.deleted),
        ("added, and never taken", found.added),
    ):
        if paths:
            console.print(f"  {counted(len(paths), 'other file')} {what}: {some(paths)}")


@collect.command("take")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), help="[DIR/answers.jsonl]"
)
@click.option("--tool-version", metavar="V", help="As the tool names it.")
@click.option("--model", metavar="M", help="The model behind the tool.")
@click.option("--mode", type=click.Choice(MODES), help="How the tool was used.")
@click.option(
    "--edited-by-person/--not-edited-by-person",
    default=None,
    help="Whether a person changed what the tool wrote.",
)
@json_option
def take_answers(
    folder: Path,
    target: Path | None,
    tool_version: str | None,
    model: str | None,
    mode: str | None,
    edited_by_person: bool | None,
    as_json: bool,
) -> None:
    """Writes answers of all stubs that changed; asks once what it cannot know.

    \b
    polyassay collect take copilot -o answers/copilot.jsonl --model gpt --mode completion \\
        --tool-version 1.200 --not-edited-by-person
    """
    made = manifest.read(folder)
    about = made.about.updated(
        tool_version=tool_version, model=model, mode=mode, edited_by_person=edited_by_person
    )
    if not as_json and sys.stdin.isatty():
        about = _asked(about)
    if about != made.about:
        made = manifest.with_about(folder, made, about)
    found = status(folder, made)
    rows = take.lines(folder, made, found, records.read(folder))
    path = target or folder / "answers.jsonl"
    take.write(path, rows)
    if as_json:
        print_json({"answers": str(path), "taken": len(rows), **found.counts})
        return
    output().print(f"{counted(len(rows), 'answer')} of {made.tool} in {path}.")
    _print_status(made, found)
    unknown = [name for name in About.__dataclass_fields__ if getattr(about, name) is None]
    if unknown:
        messages().print(f"Recorded as unknown: {', '.join(unknown)}; see --help.")


def _asked(about: About) -> About:
    """Whatever nobody has said yet; an empty answer leaves it unknown."""
    answers: dict[str, object] = {}
    for name, question in (("tool_version", "The tool's version"), ("model", "Its model")):
        if getattr(about, name) is None:
            answers[name] = click.prompt(question, default="", show_default=False) or None
    if about.mode is None:
        answers["mode"] = click.prompt("How it was used", type=click.Choice(MODES))
    if about.edited_by_person is None:
        answers["edited_by_person"] = click.confirm("Did a person change what it wrote?")
    return about.updated(**answers)
