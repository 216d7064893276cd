"""`polyassay manual`: man pages of all commands, from the help that click has of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

import polyassay as package
from polyassay.cli.common import json_option, output, print_json
from polyassay.errors import PolyAssayError
from polyassay.wording import counted

SECTION = "1"
VERBATIM = "\b"  # click's mark of a paragraph that keeps its lines


@click.command()
@click.option(
    "-o",
    "--output",
    "folder",
    default="man/man1",
    type=click.Path(path_type=Path),
    help="[man/man1]",
)
@json_option
@click.pass_context
def manual(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Writes man pages, one a command.

    \b
    polyassay manual -o ~/.local/share/man/man1
    man polyassay-run
    """
    root = click.Context(ctx.find_root().command, info_name="polyassay")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for page in pages(root):
            name = page.command_path.replace(" ", "-") + f".{SECTION}"
            (folder / name).write_text(man_page(page), "utf-8")
            written.append(name)
    except OSError as error:
        raise PolyAssayError(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder with -o."
        ) from None
    if as_json:
        print_json({"folder": str(folder), "pages": written})
    else:
        output().print(f"{counted(len(written), 'page')} in {folder}.")


def pages(ctx: click.Context) -> Iterator[click.Context]:
    """A command and all below it."""
    yield ctx
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            command = ctx.command.get_command(ctx, name)
            assert command is not None
            yield from pages(click.Context(command, info_name=name, parent=ctx))


def man_page(ctx: click.Context) -> str:
    """The page in the language of man, which groff sets."""
    command, name = ctx.command, ctx.command_path.replace(" ", "-")
    paragraphs = re.split(r"\n\s*\n", _help(command))
    usage = " ".join(command.collect_usage_pieces(ctx))
    lines = [
        f'.TH "{name.upper()}" "{SECTION}" "" "PolyAssay {package.__version__}"',
        ".SH NAME",
        f"{_text(name)} \\- {_text(_first_sentence(paragraphs[0]))}",
        ".SH SYNOPSIS",
        f".B {_text(ctx.command_path)}",
        _text(usage),
        ".SH DESCRIPTION",
        *(line for paragraph in paragraphs for line in _paragraph(paragraph)),
    ]
    options = [record for p in command.get_params(ctx) if (record := p.get_help_record(ctx))]
    if options:
        lines.append(".SH OPTIONS")
    for flags, about in options:
        lines += [".TP", f".B {_text(flags)}", _text(about) or "\\&"]
    lines += _below(ctx)
    return "\n".join(lines) + "\n"


def _below(ctx: click.Context) -> Iterator[str]:
    if not isinstance(ctx.command, click.Group):
        return
    yield ".SH COMMANDS"
    for name in ctx.command.list_commands(ctx):
        command = ctx.command.get_command(ctx, name)
        assert command is not None
        page = f"{ctx.command_path} {name}".replace(" ", "-")
        yield from (".TP", f".BR {_text(page)} ({SECTION})", _text(command.get_short_help_str(200)))


def _help(command: click.Command) -> str:
    return (command.help or command.short_help or command.name or "").strip()


def _first_sentence(paragraph: str) -> str:
    text = " ".join(paragraph.replace(VERBATIM, "").split())
    return re.split(r"(?<=[.;:])\s", text)[0].rstrip(".;:") or "PolyAssay"


def _paragraph(text: str) -> list[str]:
    if text.lstrip().startswith(VERBATIM):
        shown = [_text(line.strip()) for line in text.replace(VERBATIM, "").strip().splitlines()]
        return [".PP", ".nf", *shown, ".fi"]
    return [".PP", _text(" ".join(text.split()))]


def _text(text: str) -> str:
    """Nothing in it is a command of groff."""
    plain = " ".join(text.replace(VERBATIM, "").split())
    plain = plain.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
