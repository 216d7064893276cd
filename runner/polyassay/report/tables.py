"""One table, drawn for a terminal, Markdown, CSV, JSON or LaTeX."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import quote

from rich.table import Table as RichTable
from rich.text import Text

from polyassay.shown_text import csv_cell, in_a_line
from polyassay.texts import say
from polyassay.wording import fixed

_SIGNED = re.compile(r"[+-]\d+(\.\d+)?( \*)?")


def per_cent(share: float, digits: int = 1) -> str:
    return say("{number} %", number=fixed(100 * share, digits))


@dataclass(frozen=True, slots=True)
class Share:
    """A fraction, shown in per cent with its interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    def percent(self) -> str:
        return per_cent(self.value)

    def interval(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f"{fixed(100 * self.low)}–{fixed(100 * self.high)}"


@dataclass(frozen=True, slots=True)
class Amount:
    """A value that is no fraction, with its unit and its interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None
    unit: str = ""

    def amount(self) -> str:
        return f"{_short(self.value)} {say(self.unit)}".rstrip()

    def interval(self) -> str:
        if self.low is None or self.high is None:
            return ""
        low, high = _short(self.low), _short(self.high)
        return say("{low} to {high}", low=low, high=high) if self.low < 0 else f"{low}–{high}"


@dataclass(frozen=True, slots=True)
class OutOf:
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Points:
    """A difference of two fractions, shown in percentage points with its interval."""

    value: float
    low: float
    high: float

    def difference(self) -> str:
        return fixed(100 * self.value, signed=True)

    def interval(self) -> str:
        low, high = (fixed(100 * end) for end in (self.low, self.high))
        return say("{low} to {high}", low=low, high=high)


Cell = str | int | float | Share | Amount | OutOf | Points | None


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


def is_number(cell: Cell) -> bool:
    return cell is not None and not isinstance(cell, str)


def value_text(cell: Cell) -> str:
    """A cell's value without its interval."""
    match cell:
        case Share():
            return cell.percent()
        case Amount():
            return cell.amount()
        case Points():
            return cell.difference()
        case _:
            return plain(cell)


def ends_text(cell: Cell) -> str:
    """The interval of a cell; empty where it has none."""
    return cell.interval() if isinstance(cell, Share | Amount | Points) else ""


def all_shares(cells: Iterable[Cell]) -> list[Share]:
    """What is drawn on an axis of shares: all that is known, or nothing if any is no share."""
    known = [cell for cell in cells if cell is not None]
    shares = [cell for cell in known if isinstance(cell, Share)]
    return shares if len(shares) == len(known) else []


def plain(cell: Cell) -> str:
    """A cell's text where there is one line and no colour."""
    match cell:
        case None:
            return ""
        case Share():
            interval = cell.interval()
            return f"{cell.percent()} ({interval})" if interval else cell.percent()
        case Amount():
            interval = cell.interval()
            return f"{cell.amount()} ({interval})" if interval else cell.amount()
        case Points():
            return f"{cell.difference()} ({cell.interval()})"
        case OutOf(count, total):
            return f"{count}/{total}"
        case float():
            return _short(cell)
        case _:
            return str(cell)


def _short(number: float) -> str:
    """Four digits with a real minus sign; what differs from zero by rounding alone is zero."""
    return f"{number if abs(number) > 1e-12 else 0.0:.4g}".replace("-", "−")


def rich_table(table: Table) -> RichTable:
    """Columns three spaces apart, counts to the right; no cell ever wraps."""
    drawn = RichTable(box=None, padding=(0, 2, 0, 1), header_style="bold")
    for i, column in enumerate(table.columns):
        counts = any(isinstance(row[i], int | float | OutOf) for row in table.rows)
        # As text: a tool's name may hold brackets, which rich would take for markup.
        drawn.add_column(Text(column), justify="right" if counts else "left", no_wrap=True)
    for row in table.rows:
        drawn.add_row(*(_rich(cell) for cell in row))
    return drawn


def _rich(cell: Cell) -> Text:
    if isinstance(cell, Share) and (interval := cell.interval()):
        return Text.assemble(f"{cell.percent():<6}", "  ", (f"{interval:<11}", "dim"))
    if isinstance(cell, Amount) and (interval := cell.interval()):
        return Text.assemble(cell.amount(), "  ", (interval, "dim"))
    if isinstance(cell, Points):
        return Text.assemble(cell.difference(), "  ", (f"{cell.interval():<13}", "dim"))
    return Text(in_a_line(plain(cell)))


def markdown(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    rule = [
        "---:" if any(is_number(row[i]) for row in table.rows) else "---"
        for i in range(len(table.columns))
    ]
    body = line(list(table.columns)) + line(rule)
    body += "".join(line([plain(cell) for cell in row]) for row in table.rows)
    return body + "".join(f"\n{note}\n" for note in table.notes)


def records(table: Table) -> list[dict[str, str | int | float | None]]:
    """One flat record a row: a share becomes three fields, a count out of a total two."""
    return [
        {
            name: value
            for column, cell in zip(table.columns, row, strict=True)
            for name, value in _fields(column, cell)
        }
        for row in table.rows
    ]


def _fields(column: str, cell: Cell) -> list[tuple[str, str | int | float | None]]:
    match cell:
        case Share(value, None, _) | Amount(value, None, _):
            return [(column, value)]
        case Share(value, low, high) | Amount(value, low, high) | Points(value, low, high):
            return [(column, value), (f"{column} low", low), (f"{column} high", high)]
        case OutOf(count, total):
            return [(column, count), (f"{column} of", total)]
        case _:
            return [(column, cell)]


def csv_text(table: Table) -> str:
    out = io.StringIO()
    rows = records(table)
    fields = dict.fromkeys(name for row in rows for name in row) or dict.fromkeys(table.columns)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_csv_cell, fields))
    writer.writerows([_csv_cell(row.get(name)) for name in fields] for row in rows)
    return out.getvalue()


def _csv_cell(value: object) -> object:
    """No name is taken for a formula; a signed number is none, with a mark or without."""
    if isinstance(value, float):
        return value + 0.0  # there is no −0.0
    return value if isinstance(value, str) and _SIGNED.fullmatch(value) else csv_cell(value)


def csv_address(table: Table) -> str:
    """The table as a link that a page can offer without a server."""
    return f"data:text/csv;charset=utf-8,{quote(csv_text(table))}"


def json_text(table: Table) -> str:
    return json.dumps(records(table), ensure_ascii=False, indent=2) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
}  # fmt: skip


def latex(table: Table) -> str:
    """A booktabs tabular."""

    def escape(text: str) -> str:
        return "".join(_LATEX.get(char, char) for char in text)

    def line(cells: list[str]) -> str:
        return "  " + " & ".join(escape(cell) for cell in cells) + r" \\" + "\n"

    columns = "".join(
        "r" if any(is_number(row[i]) for row in table.rows) else "l"
        for i in range(len(table.columns))
    )
    body = "".join(line([plain(cell) for cell in row]) for row in table.rows)
    notes = "".join(f"% {note}\n" for note in table.notes)
    head = line(list(table.columns))
    return (
        f"\\begin{{tabular}}{{{columns}}}\n  \\toprule\n{head}  \\midrule\n{body}"
        f"  \\bottomrule\n\\end{{tabular}}\n{notes}"
    )


TEXT_FORMATS: dict[str, Callable[[Table], str]] = {
    "markdown": markdown,
    "csv": csv_text,
    "json": json_text,
    "latex": latex,
}
