"""What several commands share: where things live, and how they speak."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.table import Table

from polyassay.errors import PolyAssayError
from polyassay.report.tables import Table as TextTable
from polyassay.report.tables import rich_table
from polyassay.report.terminal.fitting import fitted
from polyassay.shown_text import clean
from polyassay.store import Store

STORE = "POLYASSAY_STORE"  # a variable for addresses with passwords, which others see in a command
Command = TypeVar("Command", bound=Callable[..., Any])


def home() -> Path:
    """Suites, environments and the store are below this folder of the working folder."""
    return Path.cwd() / ".polyassay"


def open_store(url: str | None) -> Store:
    """The store at this address, else where the environment says, else of the working folder.

    Its connections end with the command.
    """
    address, told = url or os.environ.get(STORE), messages().print
    store = Store.open(address, told) if address else Store.at(home(), told)
    command = click.get_current_context(silent=True)
    if command is not None:
        command.call_on_close(store.close)
    return store


def store_option(command: Command) -> Command:
    return click.option(
        "--store",
        "store_url",
        metavar="URL",
        envvar=STORE,
        help="Where runs are kept; sqlite:///PATH or postgresql://… [.polyassay/store.sqlite]",
    )(command)


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")(
        command
    )


def _words(_context: click.Context, _option: click.Parameter, line: str | None) -> list[str] | None:
    """A command's words, as a shell would part them."""
    try:
        return shlex.split(line) if line else None
    except ValueError as error:
        raise PolyAssayError(f"--command cannot be read: {error}.", "close its quotes.") from None


def model_options(command: Command) -> Command:
    """What says which model is asked, and how."""
    for option in reversed(
        (
            click.option("--model", help="The model's name at its server."),
            click.option("--base-url", help="Where the server is, as in http://127.0.0.1:8080/v1."),
            click.option("--api-key-env", metavar="NAME", help="The variable that holds the key."),
            click.option("--temperature", type=float),
            click.option("--top-p", type=float),
            click.option("--max-tokens", type=click.IntRange(1), help="Of one answer."),
            click.option(
                "--command",
                callback=_words,
                metavar="LINE",
                help="With --via command: program and arguments.",
            ),
        )
    ):
        command = option(command)
    return command


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=True))


def output() -> Console:
    """Where results go. `NO_COLOR` and the terminal's width are respected by rich."""
    return CleanConsole(file=sys.stdout, highlight=False, width=_width(sys.stdout.isatty()))


def print_whole(console: Console, table: Table) -> None:
    """At the width that the table needs: a number that is cut is a wrong one."""
    unbounded = console.options.update(max_width=10_000)
    width, console.width = (
        console.width,
        max(console.width, console.measure(table, options=unbounded).maximum),
    )
    console.print(table, crop=False)
    console.width = width


def print_fitting(console: Console, table: TextTable, names: Collection[str]) -> None:
    """Whole, too, and with long names of tools shortened in the middle where room is short."""
    print_whole(console, rich_table(fitted(table, console.width, names)))


def messages() -> Console:
    """Where progress and remarks go."""
    return CleanConsole(file=sys.stderr, highlight=False, width=_width(sys.stderr.isatty()))


def _width(is_terminal: bool) -> int | None:
    """A file or a pipe has no width, and a table must not wrap there."""
    if is_terminal or "COLUMNS" in os.environ:
        return None
    return 200


class CleanConsole(Console):
    """A console that removes control characters from all texts printed on it, but its own codes."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]
        self.push_render_hook(_CleanHook())


class _CleanHook(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Cleaned(renderable) for renderable in renderables]


class _Cleaned:
    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Rich's own codes are styles and control segments; only text is cleaned."""
        for text, style, control in console.render(self._inner, options):
            yield Segment(text if control else clean(text), style, control)
