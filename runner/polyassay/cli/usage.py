"""What is said of a command line that click refuses: a sentence, and a way on."""

import re
from collections.abc import Iterator, Sequence

import click

from polyassay.wording import did_you_mean

# click's words for types, the longer ones first, and people's.
_TYPES = {
    "valid integer range": "whole number",
    "valid float range": "number",
    "valid integer": "whole number",
    "valid float": "number",
}
# Options under a name that another program gives them.
_ELSEWHERE = {"--failed": "--not-passed", "--output": "-o", "--out": "-o"}


def problem_of(error: click.UsageError) -> str:
    """On one line, with people's words for types."""
    problem = re.sub(r":\s*\n\t", ": ", error.format_message())
    problem = " ".join(problem.split())
    for theirs, ours in _TYPES.items():
        problem = problem.replace(f"is not a {theirs}.", f"is not a {ours}.")
    return problem


def hint_of(error: click.UsageError, root: click.Command, arguments: Sequence[str]) -> str:
    """What was probably meant, and how the command that was called is used."""
    context = error.ctx or _called(root, arguments)
    command = context.command_path
    usage = " ".join([command, *_needed(context)])
    return f"{_meant(error)}use it as `{usage}`; `{command} --help` tells more."


def _called(root: click.Command, arguments: Sequence[str]) -> click.Context:
    """The command that these arguments name: click's parser does not tell whose option is wrong."""
    context = click.Context(root, info_name="polyassay")
    for word in arguments:
        group = context.command
        inner = group.get_command(context, word) if isinstance(group, click.Group) else None
        if inner is None:
            break
        context = click.Context(inner, info_name=word, parent=context)
    return context


def _needed(context: click.Context) -> Iterator[str]:
    """Its arguments, and the options that it cannot do without."""
    yield from context.command.collect_usage_pieces(context)[1:]
    for parameter in context.command.params:
        if isinstance(parameter, click.Option) and parameter.required:
            yield f"{parameter.opts[-1]} {parameter.make_metavar(context)}"


def _meant(error: click.UsageError) -> str:
    """The choice that is the most like the one that was written, or the option that it names."""
    if isinstance(error, click.NoSuchOption) and error.ctx:
        known = {name for parameter in error.ctx.command.params for name in parameter.opts}
        ours = _ELSEWHERE.get(error.option_name)
        return f'did you mean "{ours}"? ' if ours in known else ""
    choice = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    written = re.match(r"'(.*)' is not one of ", error.message)
    if not isinstance(choice, click.Choice) or not written:
        return ""
    return did_you_mean(written[1], map(str, choice.choices), 0.5)
