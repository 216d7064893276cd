"""An answer's code on a terminal, with what was said about its lines below them."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from polyassay.languages.highlight import BriefLexer
from polyassay.model import Language
from polyassay.report.tasks.remarks import Remark, lines_of

_TAB = 4


def print_code(
    console: Console, code: str, language: Language, remarks: Sequence[Remark] = ()
) -> None:
    lines = lines_of(code.rstrip())
    code = "\n".join(lines)
    before = len(str(len(lines))) + 3  # what rich puts before a line: a pointer and its number
    begin = 1
    for at in sorted({remark.line for remark in remarks}):
        _print_lines(console, code, language, (begin, at), at)
        for remark in remarks:
            if remark.line == at:
                _print_remark(console, lines[at - 1], remark, before)
        begin = at + 1
    if begin <= len(lines):
        _print_lines(console, code, language, (begin, len(lines)))


def print_labelled(console: Console, label: str, text: str) -> None:
    """A paragraph beside its label, also where it takes several lines."""
    indent = 12
    lines = Text(text.strip()).wrap(console, max(20, console.width - indent))
    for number, line in enumerate(lines or [Text()]):
        head = f"  {label}".ljust(indent) if number == 0 else " " * indent
        console.print(Text(head) + line)


def print_items(console: Console, items: Sequence[str], style: str) -> None:
    """As many in a line as fit; none is parted."""
    line = ""
    for item in items:
        if line and cell_len(line) + 3 + cell_len(item) > console.width:
            console.print(Text(line, style))
            line = ""
        line += f"   {item}" if line else f"  {item}"
    console.print(Text(line, style))


def _print_lines(
    console: Console, code: str, language: Language, which: tuple[int, int], marked: int = 0
) -> None:
    console.print(
        Syntax(
            code,
            BriefLexer(language),
            line_numbers=True,
            line_range=which,
            highlight_lines={marked},
            tab_size=_TAB,
            background_color="default",
            word_wrap=True,
        )
    )


def _print_remark(console: Console, line: str, remark: Remark, before: int) -> None:
    place = before + len(line[: max(0, remark.character - 1)].expandtabs(_TAB))
    whole = before + len(line.expandtabs(_TAB)) <= console.width  # or the line is wrapped
    if remark.character and whole:
        console.print(Text(" " * place + "^", "red"))
    for said in remark.said.splitlines():
        console.print(Text(" " * before + said, "red"))
