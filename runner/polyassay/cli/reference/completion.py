"""`polyassay completion`: what a shell needs to complete commands, flags, suites and runs."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from polyassay.cli.common import home
from polyassay.cli.reference import COMPLETING
from polyassay.errors import PolyAssayError

SHELLS = ("bash", "zsh", "fish")
NEXT = {
    "bash": "polyassay completion bash > ~/.local/share/bash-completion/completions/polyassay",
    "zsh": 'polyassay completion zsh > "${fpath[1]}/_polyassay"',
    "fish": "polyassay completion fish > ~/.config/fish/completions/polyassay.fish",
}


@click.command(epilog="\b\n" + "\n".join(NEXT.values()))
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Prints a script that lets a shell complete commands, flags, suites and runs.

    \b
    eval "$(polyassay completion bash)"
    """
    found = get_completion_class(shell)
    assert found is not None  # click knows all three
    root = ctx.find_root()
    click.echo(found(root.command, {}, "polyassay", COMPLETING).source())


def complete_values(command: click.Command) -> None:
    """Lets arguments that name a suite, a run or a preset complete what there is."""
    for parameter in command.params:
        metavar = (parameter.metavar or "").strip("[]…").removesuffix(",")
        source = _SOURCES.get(parameter.name or "") or _BY_METAVAR.get(metavar)
        if source is not None and not isinstance(parameter.type, click.Choice):
            _complete(parameter, source)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete_values(inner)


def _complete(parameter: click.Parameter, source: Callable[[], Iterable[str]]) -> None:
    def found(_ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        try:
            names = list(source())
        except PolyAssayError:  # a shell is no place for complaints
            return []
        before, comma, last = incomplete.rpartition(",")  # of a list, what is being written
        return [CompletionItem(before + comma + name) for name in names if name.startswith(last)]

    # Click takes this only when a parameter is made, and they are made in many modules.
    parameter.shell_complete = found  # type: ignore[assignment, method-assign]


def _suites() -> Iterable[str]:
    from polyassay.suites.registry import Registry

    return Registry(home()).names()


def _runs() -> Iterable[str]:
    from polyassay.store import LATEST, Store

    if not (home() / "store.sqlite").is_file():
        return []
    runs = Store.at(home()).runs()
    return [LATEST, *(run.label for run in runs if run.label), *(run.id for run in runs)]


def _labels() -> Iterable[str]:
    from polyassay.store import Store

    runs = Store.at(home()).runs() if (home() / "store.sqlite").is_file() else []
    return [run.label for run in runs if run.label]


def _presets() -> Iterable[str]:
    from polyassay.collect.agents import presets

    return presets()


_SOURCES: dict[str, Callable[[], Iterable[str]]] = {
    "suite": _suites,
    "suites": _suites,
    "run": _runs,
    "runs": _runs,
    "other_run": _runs,
    "preset_name": _presets,
    "labels": _labels,
}
_BY_METAVAR: dict[str, Callable[[], Iterable[str]]] = {"RUN": _runs, "SUITE": _suites}
