"""Tables that fit a terminal: what gives way is the middle of long names."""

from collections.abc import Collection
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console

from polyassay.report.long_names import shortened
from polyassay.report.tables import Table, rich_table

LEAST = 9  # of a name; fewer letters would tell nothing


def fitted(table: Table, width: int, names: Collection[str]) -> Table:
    """The same with these names as short as the width asks for, and no shorter.

    Ranks, figures and ranges are never shortened, so it may still be wider.
    """
    room, shown = max(map(cell_len, names), default=0), table
    while (over := table_width(shown) - width) > 0 and room > LEAST:
        room = max(LEAST, room - max(1, over // 2))  # a table may have two columns of names
        shown = _with_names(table, {name: shortened(name, room) for name in names})
    return shown


def _with_names(table: Table, short: dict[str, str]) -> Table:
    return replace(
        table,
        columns=tuple(short.get(column, column) for column in table.columns),
        rows=tuple(
            tuple(short.get(cell, cell) if isinstance(cell, str) else cell for cell in row)
            for row in table.rows
        ),
    )


def table_width(table: Table) -> int:
    """Without the space behind the last column."""
    console = Console(width=10_000)
    return console.measure(rich_table(table)).maximum - 2
