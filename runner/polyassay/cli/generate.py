"""`polyassay generate`: answers from an API or a command, without a study file."""

import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from polyassay.cli.beginning import load_suites
from polyassay.cli.common import (
    home,
    json_option,
    messages,
    model_options,
    open_store,
    print_json,
    store_option,
)
from polyassay.cli.prompts import assignments_of
from polyassay.errors import PolyAssayError
from polyassay.generate.asking import AskingBudget, Tally
from polyassay.generate.progress import money
from polyassay.generate.second_try import FirstTry, second_name
from polyassay.generate.tools import VIAS, Tool, tool_from
from polyassay.model import Suite
from polyassay.prompts import settings_from
from polyassay.store import Store
from polyassay.study.answers import Questionnaire, ask, estimate_of
from polyassay.study.consent import Consent
from polyassay.suites.registry import Registry

OWN = (
    *("model", "base_url", "api_key_env", "temperature", "top_p", "max_tokens", "seed", "rpm"),
    *("tpm", "command", "concurrency", "tries", "seconds", "template"),
)


@click.command()
@click.option("-s", "--suite", "suites", multiple=True, metavar="SUITE", help="What to ask.")
@click.option("--tool", "name", required=True, metavar="NAME", help="What the answers are called.")
@click.option("--via", required=True, type=click.Choice([v for v in VIAS if v != "files"]))
@click.option("-n", "--samples", type=click.IntRange(1), default=1, help="Answers a task [1].")
@click.option("-o", "--output", "path", required=True, type=click.Path(path_type=Path))
@model_options
@click.option("--stop", multiple=True, help="Ends an answer; may be given several times.")
@click.option("--seed", type=click.IntRange(0), help="Sample i is asked with seed + i.")
@click.option("--stream", is_flag=True, help="Ask the server to stream.")
@click.option("--json-prompt", is_flag=True, help="With --via command: one JSON object as input.")
@click.option("--template", metavar="T", help="As in `polyassay prompts`.")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="As there.")
@click.option("--prompt-language", "languages", multiple=True, help="Or `all` [the usual one].")
@click.option("--price", nargs=2, type=float, metavar="IN OUT", help="For a million tokens.")
@click.option("--currency", default="USD", help="Of the price [USD].")
@click.option("--concurrency", type=click.IntRange(1), help="Questions at once, at most.")
@click.option("--rpm", type=click.FloatRange(0.01), help="Requests a minute, at most.")
@click.option("--tpm", type=click.FloatRange(1), help="Input tokens a minute, at most (estimated).")
@click.option("--tries", type=click.IntRange(1), help="For one question.")
@click.option("--seconds", type=click.FloatRange(0.01), help="For one try.")
@click.option("--max-cost", type=click.FloatRange(0), help="Of all answers of the file.")
@click.option("--max-tokens-total", type=click.FloatRange(0), help="Of all answers of the file.")
@click.option("--second-try", "first_run", metavar="RUN", help="Ask again what failed in a run.")
@click.option("--limit", type=click.IntRange(1), help="Only the first N tasks of each suite.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked, and ask nothing.")
@click.option("--yes", is_flag=True, help="Prompts may be sent to the server's host.")
@store_option
@json_option
def generate(
    suites: tuple[str, ...],
    samples: int,
    path: Path,
    assignments: tuple[str, ...],
    languages: tuple[str, ...],
    max_cost: float | None,
    max_tokens_total: float | None,
    first_run: str | None,
    limit: int | None,
    dry_run: bool,
    yes: bool,
    store_url: str | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Asks a tool for answers; the same command goes on where it stopped.

    \b
    polyassay generate -s starter-python --tool local --via openai --model qwen \\
        --base-url http://127.0.0.1:8080/v1 -n 5 -o answers/local.jsonl
    polyassay generate -s starter-java --tool mine --via command --command "my-tool {task}" \\
        -o answers/mine.jsonl
    polyassay generate -s starter-python --tool local --second-try latest … -o answers/again.jsonl

    --second-try RUN takes the tool's answers of a run: what passed stays, and the rest is asked
    again with the tests' output. The answers are those of another tool, NAME[tries:2].
    """
    tool = _tool(flags)
    settings = settings_from(assignments_of(assignments)).changed(template=tool.template)
    loaded = _limited(load_suites(suites, to_grade=True), limit)
    asked = Questionnaire(tool, settings, samples, path, languages)
    if first_run is not None:
        asked = _after(asked, open_store(store_url), first_run, loaded)
    registry = Registry(home())
    if dry_run:
        return _preview(asked, loaded, registry, as_json)
    question = click.confirm if sys.stdin.isatty() and not as_json else None
    Consent(home(), (), yes, question).require([tool], loaded)
    try:
        tally = ask(asked, loaded, registry, AskingBudget(max_cost, max_tokens_total), messages())
    except KeyboardInterrupt:
        messages().print(f"Interrupted. What was answered is in {path}; the same command goes on.")
        raise
    if as_json:
        print_json({"tool": asked.tool.name, "answers": str(path), **told(tally)})
    return int(bool(tally.errors) or bool(tally.stopped))


def _tool(flags: Mapping[str, Any]) -> Tool:
    values = {name: flags[name] for name in OWN if flags[name] is not None}
    values |= {"name": flags["name"], "via": flags["via"]}
    if flags["stop"]:
        values["stop"] = list(flags["stop"])
    if flags["stream"]:
        values["stream"] = True
    if flags["json_prompt"]:
        values["json"] = True
    if flags["price"]:
        given, made = flags["price"]
        values["price"] = {"input": given, "output": made, "currency": flags["currency"]}
    return tool_from(values, "generate")


def _after(
    asked: Questionnaire, store: Store, name: str, suites: Mapping[str, Suite]
) -> Questionnaire:
    """Second tries, which follow the tool's answers of a run to these tasks."""
    run = store.run(name)
    wanted = {(suite.name, task.id) for suite in suites.values() for task in suite.tasks}
    for suite in suites.values():
        if run.provenance["suites"].get(suite.name, {}).get("checksum") != suite.checksum:
            raise PolyAssayError(
                f"The run {run.id} is not of {suite.name} as it is here.",
                "run the first tries again.",
            )
    firsts = tuple(
        FirstTry(store.candidate(run.id, verdict.candidate), verdict)
        for verdict in store.verdicts(run.id, tool=asked.tool.name)
        if (verdict.candidate.suite, verdict.candidate.task) in wanted
    )
    if not firsts:
        raise PolyAssayError(
            f'The run {run.id} has no answers of "{asked.tool.name}" to these suites.',
            "--tool names the tool of the first tries.",
        )
    again = dataclasses.replace(asked.tool, name=second_name(asked.tool.name))
    return dataclasses.replace(asked, tool=again, firsts=firsts)


def _limited(suites: Mapping[str, Suite], limit: int | None) -> dict[str, Suite]:
    return {
        name: dataclasses.replace(suite, tasks=suite.tasks[:limit])
        for name, suite in suites.items()
    }


def _preview(
    asked: Questionnaire, suites: Mapping[str, Suite], registry: Registry, as_json: bool
) -> int:
    plan, found = estimate_of(asked, suites, registry)
    if as_json:
        print_json({"tool": asked.tool.name, "present": plan.present, **dataclasses.asdict(found)})
        return 0
    most = "unknown" if found.output_tokens is None else f"at most {found.output_tokens:,}"
    click.echo(
        f"{asked.tool.name}: {found.answers:,} answers to ask for in {found.requests:,} requests"
        f" ({plan.present:,} are there)\n"
        f"input tokens: about {found.input_tokens:,}; output tokens: {most}; "
        f"{money(found.cost, found.currency)}"
    )
    return 0


def told(tally: Tally) -> dict[str, Any]:
    return {
        "answered": tally.answers,
        "finishes": dict(tally.finishes),
        "errors": dict(tally.errors),
        "retries": dict(tally.retries),
        "tokens": {"input": tally.input_tokens, "output": tally.output_tokens}
        if not tally.unknown_tokens
        else None,
        "cost": None if tally.unknown_cost or not tally.answers else tally.cost,
        "left_out": list(tally.left_out),
        "stopped": tally.stopped,
    }
