"""What stands around the answers, as text: the headline, the keys, and the rubric below."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from polyassay.rubric.room.view import ShownField, ShownKey, ShownOption, View

NARROW = 76  # columns below which a dimension's whole wording does not fit
BETWEEN = " · "


def headline(parts: Sequence[str], width: int) -> str:
    """As many parts as fit whole; the first one always."""
    shown = list(parts)
    while len(shown) > 1 and cell_len(BETWEEN.join(shown)) > width:
        shown.pop()
    return BETWEEN.join(shown)


def key_line(keys: Sequence[ShownKey], more: Sequence[tuple[str, str]], width: int) -> Text:
    """The keys that work now, and those of the form itself."""
    every = [*((one.key, one.name) for one in keys), *more]
    return flow([Text.assemble((key, "bold"), f" {name}") for key, name in every], width)


def flow(pieces: Sequence[Text], width: int, between: str = "  ", indent: int = 0) -> Text:
    """Pieces after each other, in as many lines as they need; none is broken."""
    text, used = Text(), indent
    for number, piece in enumerate(pieces):
        if number and used + len(between) + piece.cell_len > width:
            text.append("\n" + " " * indent)
            used = indent
        elif number:
            text.append(between)
            used += len(between)
        text.append(piece)
        used += piece.cell_len
    return text


def rubric_text(view: View, accent: str, compact: bool, width: int) -> Text:
    """Lines of fields, then the wording of the one in focus; compact: one line for all."""
    text = Text()
    if view.feedback:
        text.append(f"{view.feedback}\n", f"bold {accent}")
    if compact and len(view.fields) > 1:
        _in_one_line(text, view.fields, accent)
    else:
        _one_line_each(text, view.fields, accent, width)
    focused = next(field for field in view.fields if field.focused)
    if len(view.fields) > 1 and compact and width < NARROW:
        text.append(flow([Text(f"{o.key} {o.label}", "dim") for o in focused.options], width))
    elif len(view.fields) > 1:
        most = max(len(field.options) for field in view.fields)
        lines = [f"  {option.key}  {option.text}" for option in focused.options]
        lines += [""] * (most - len(lines))  # the panel keeps its height
        text.append("\n".join(lines), "dim")
    if focused.comment:
        text.append(f"\n  ✎ {focused.comment}")
    return text


def _one_line_each(text: Text, fields: Sequence[ShownField], accent: str, width: int) -> None:
    longest = max(cell_len(field.name) for field in fields)
    before = ""
    for field in fields:
        name = set_cell_size("" if field.name == before else field.name, longest)
        before = field.name
        side = f" {field.side}" if field.side else ""
        text.append(_mark(field) + name + side, f"bold {accent}" if field.focused else "")
        indent = 1 + longest + len(side) + 3
        text.append("   ").append(flow(list(map(_option, field.options)), width, "   ", indent))
        text.append("\n")


def _option(option: ShownOption) -> Text:
    if option.given:
        return Text(f"[{option.key}] {option.label}", "bold reverse")
    return Text(f"{option.key} {option.label}")


def _in_one_line(text: Text, fields: Sequence[ShownField], accent: str) -> None:
    """One line a side; all dimensions in it."""
    for side in dict.fromkeys(field.side for field in fields):
        text.append(f"{side} " if side else "")
        for field in fields:
            if field.side == side:
                given = next((f"[{o.key}]" for o in field.options if o.given), "–")
                style = f"bold {accent}" if field.focused else ""
                text.append(f"{_mark(field)}{field.name} {given}  ", style)
        text.append("\n")


def _mark(field: ShownField) -> str:
    return "▸" if field.focused else " "
