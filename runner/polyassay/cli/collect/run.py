"""`polyassay collect run`."""

import dataclasses
import json
from pathlib import Path

import click

from polyassay.cli.common import home, json_option, messages, output, print_json
from polyassay.collect import manifest
from polyassay.collect.agents import SECONDS, Agent, agent_of, preset, presets, version_of
from polyassay.collect.fill import Editor, Filler, counts, refuse_other_suites
from polyassay.collect.records import WorkspaceRecord
from polyassay.collect.workspace import CommandEditor
from polyassay.suites.registry import Registry
from polyassay.wording import counted


@click.command("run")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--command",
    metavar="WORDS",
    help="Started in each folder, not through a shell. It may name {prompt_file}, {prompt}, "
    "{file}, {files}, {folder}, {task}, {language}, {sample}, {model}.",
)
@click.option("--preset", "preset_name", metavar="NAME", help="An agent that is known; see --list.")
@click.option("--acp", metavar="WORDS", help="An agent that speaks the Agent Client Protocol.")
@click.option("--model", default="", metavar="M", help="What {model} stands for.")
@click.option("--seconds", type=click.FloatRange(1), metavar="S", help="A task, at most [600].")
@click.option("-j", "--jobs", type=click.IntRange(1, 256), default=1, help="At a time [1].")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the next N stubs.")
@click.option("--again", is_flag=True, help="Also what the agent has left untouched before.")
@click.option("--list", "list_presets", is_flag=True, help="Prints the presets.")
@json_option
def run(
    folder: Path | None,
    command: str | None,
    preset_name: str | None,
    acp: str | None,
    model: str,
    seconds: float | None,
    jobs: int,
    limit: int | None,
    again: bool,
    list_presets: bool,
    as_json: bool,
) -> None:
    """Lets an agent fill all untouched stubs, each in a fresh folder of its own.

    \b
    polyassay collect run mine --command 'my-agent --yes --message-file {prompt_file}'
    polyassay collect run aider --preset aider --model openai/qwen
    """
    if list_presets:
        _print_presets(as_json)
        return
    if folder is None or sum(one is not None for one in (command, preset_name, acp)) != 1:
        raise click.UsageError("Give DIR and one of --command, --preset and --acp.")
    made = manifest.read(folder)
    registry = Registry(home())
    suites = {name: registry.load(name) for name in made.suites}
    refuse_other_suites(made, suites)
    filler = Filler(folder, made, suites, _editor(command, preset_name, acp, model, seconds))
    items = filler.pending(again)[:limit]
    done: list[WorkspaceRecord] = []

    def told(record: WorkspaceRecord) -> None:
        done.append(record)
        ended = record.problem or "edited"
        messages().print(
            f"{len(done)}/{len(items)}  {record.task} sample {record.sample}: {ended}, "
            f"{record.seconds:.1f} s"
        )

    filler.fill_all(items, jobs, told)
    _keep_facts(folder, filler, model)
    found = counts(iter(done))
    if as_json:
        print_json({"folder": str(folder), **found})
        return
    output().print(
        f"{counted(found['ran'], 'stub')} given to {made.tool}, {found['edited']} edited, "
        f"{found['timed_out']} timed out. Next:  polyassay collect take {folder} "
        f"-o {made.tool}.jsonl"
    )


def _editor(
    command: str | None, preset_name: str | None, acp: str | None, model: str, seconds: float | None
) -> Editor:
    if acp is not None:
        from polyassay.collect.acp_client import AcpEditor

        return AcpEditor(agent_of(acp, seconds=seconds or SECONDS))
    agent = agent_of(command) if command is not None else _known(preset_name or "", model)
    if seconds:
        agent = dataclasses.replace(agent, seconds=seconds)
    return CommandEditor(agent, model, version_of(agent))


def _known(name: str, model: str) -> Agent:
    found = preset(name)
    if not found.tried:
        messages().print(f"The preset {name} follows its maker's documentation and was not tried.")
    return found


def _keep_facts(folder: Path, filler: Filler, model: str) -> None:
    """What is known of the tool need not be asked when answers are taken."""
    made = manifest.read(folder)
    about = made.about.updated(
        tool_version=made.about.tool_version or filler.editor.version,
        model=made.about.model or model or None,
        mode=made.about.mode or "agent",
        edited_by_person=bool(made.about.edited_by_person),
    )
    if about != made.about:
        manifest.with_about(folder, made, about)


def _print_presets(as_json: bool) -> None:
    if as_json:
        print_json({name: dataclasses.asdict(agent) for name, agent in presets().items()})
        return
    for name, agent in presets().items():
        tried = "tried here" if agent.tried else "not tried"
        output().print(f"{name} ({tried}): {agent.about}", soft_wrap=True)
        output().print(f"    {json.dumps(agent.command)}", soft_wrap=True, markup=False)
