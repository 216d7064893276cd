"""`polyassay grade model`."""

import asyncio
import hashlib
import sys
from collections.abc import Mapping
from typing import Any

import click

from polyassay.cli.common import home, json_option, messages, model_options, output, print_json
from polyassay.cli.grade.sitting import Seat, seating_options, seats
from polyassay.errors import PolyAssayError
from polyassay.generate.clients import client_for
from polyassay.generate.tools import VIAS, Tool, tool_from
from polyassay.rubric.model.grading import ModelGrading, ModelTally
from polyassay.rubric.model.questions import ASKED, instructions, schema
from polyassay.store.graders import Grader, GraderKind, Graders
from polyassay.study.consent import Consent
from polyassay.wording import counted

SETTINGS = (
    *("model", "base_url", "api_key_env", "temperature", "top_p", "max_tokens"),
    *("command", "concurrency", "rpm", "tries", "seconds"),
)
CANNOT_GRADE = ("files", "workspace", "acp")


@click.command("model")
@seating_options
@click.option("--grader", required=True, metavar="NAME", help="What the model is called here.")
@click.option("--via", required=True, type=click.Choice([v for v in VIAS if v not in CANNOT_GRADE]))
@model_options
@click.option("--concurrency", type=click.IntRange(1), help="Questions at once, at most.")
@click.option("--rpm", type=click.FloatRange(0.01), help="Requests a minute, at most.")
@click.option("--tries", type=click.IntRange(1), help="For one item.")
@click.option("--seconds", type=click.FloatRange(0.01), help="For one try.")
@click.option("--reason/--no-reason", default=True, help="Ask why, before the points [yes].")
@click.option("--schema/--no-schema", "with_schema", default=True, help="Send the answer's schema.")
@click.option("--yes", is_flag=True, help="Answers may be sent to the server's host.")
@json_option
def model(
    grader: str, reason: bool, with_schema: bool, yes: bool, as_json: bool, **options: Any
) -> int:
    """Lets a model grade by the same rubric; the same command goes on where it stopped.

    Its scores are kept apart: people never see them, and no mean of people's scores has them in it.
    Model, settings and prompt are recorded with them.

    \b
    polyassay grade model latest --grader judge --via openai --model qwen \\
        --base-url http://127.0.0.1:8080/v1
    polyassay grade model latest --prefer --grader mine --via command --command my-grader
    """
    if options["side_by_side"]:
        raise click.UsageError("--side-by-side is for people; --prefer compares two answers.")
    tool = _tool(grader, options)
    question = click.confirm if sys.stdin.isatty() and not as_json else None
    (seat,) = seats((grader,), options, GraderKind.MODEL)
    suite = seat.room.desk.screens[0][0].key.suite
    Consent(home(), (), yes, question).require([tool], [suite])
    _record(seat, tool, reason)
    if with_schema and tool.via == "openai":
        tool = _with_schema(tool, schema(seat.room.desk, reason))
    tally = asyncio.run(_grade(seat, tool))
    return _tell(seat, tally, as_json)


def _tool(grader: str, options: Mapping[str, Any]) -> Tool:
    values = {name: options[name] for name in SETTINGS if options[name] is not None}
    return tool_from({**values, "name": grader, "via": options["via"]}, "grade model")


def _with_schema(tool: Tool, wanted: dict[str, Any]) -> Tool:
    form = {"type": "json_schema", "json_schema": {"name": "grades", "schema": wanted}}
    values = {**tool.values, "extra": {"response_format": form}, "native_n": False}
    return Tool(**{name: getattr(tool, name) for name in Tool.__slots__} | {"values": values})


def _record(seat: Seat, tool: Tool, reason: bool) -> None:
    """What shapes its scores; another model or prompt under an old name is refused."""
    graders = Graders(seat.store)
    prompt = f"{instructions(seat.room)}\n\n{ASKED}"
    settings = {name: tool.values[name] for name in sorted(tool.values) if name != "api_key_env"}
    facts: dict[str, Any] = {
        "via": tool.via,
        "model": tool.model,
        "settings": settings,
        "reason": reason,
        "prompts": {seat.session.kind: prompt},
        "prompt_sha256": {seat.session.kind: hashlib.sha256(prompt.encode()).hexdigest()},
    }
    known = graders.graders()[seat.session.grader]
    if known.facts:
        for name in ("prompts", "prompt_sha256"):
            facts[name] = {**known.facts.get(name, {}), **facts[name]}
        changed = [name for name in facts if name in known.facts and not _holds(known, facts, name)]
        if changed:
            raise PolyAssayError(
                f'"{known.name}" has graded with another {changed[0].replace("_", " ")} before.',
                hint="Give this one another name with --grader.",
            )
    graders.save_grader(Grader(known.name, GraderKind.MODEL, facts))


def _holds(known: Grader, facts: Mapping[str, Any], name: str) -> bool:
    before, now = known.facts[name], facts[name]
    if isinstance(before, dict) and name != "settings":
        return all(now.get(key) == value for key, value in before.items())
    return bool(before == now)


async def _grade(seat: Seat, tool: Tool) -> ModelTally:
    client = client_for(tool)
    total = len(seat.room.desk.screens)

    def show(tally: ModelTally) -> None:
        done = seat.room.desk.progress().done
        if done % 10 == 0 or done == total:
            messages().print(f"{seat.session.grader}: {done} of {total} items", highlight=False)

    try:
        return await ModelGrading(seat.room, tool, client, on_change=show).run()
    finally:
        await client.close()


def _tell(seat: Seat, tally: ModelTally, as_json: bool) -> int:
    progress = seat.room.desk.progress()
    if as_json:
        told = {"scored": tally.scored, "done": progress.done, "total": progress.total}
        print_json({"session": seat.session.id, **told, "errors": dict(tally.errors)})
    else:
        line = f"{seat.session.grader}: {progress.done} of {progress.total} items graded."
        output().print(line, markup=False)
        for problem, many in tally.errors.most_common():
            output().print(f"  {counted(many, 'item')} left open: {problem}", markup=False)
    return int(bool(tally.errors))
