"""Tasks from notebooks: a target cell, the cells before it, and the data files beside it."""

import base64
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyassay.comparison import AnswerType
from polyassay.comparison.cell import OUTPUT, Cell
from polyassay.model import Language, Limits, Style, Task
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import parse_json, read_text, read_toml

NOTEBOOK, CELLS = "notebook.ipynb", "cells.toml"
NEAREST = 3  # cells that a prompt shows, as in the ExeDS paper
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NotebookSource:
    """One cell of a notebook."""

    text: str
    is_code: bool
    shown: str = ""  # the text of its outputs


def read_notebook(path: Path) -> list[NotebookSource]:
    fields = Fields(str(path), parse_json(read_text(path), str(path)))
    cells = enumerate(fields.list("cells"))
    return [_source(Fields(f"{path}, cell {number}", cell)) for number, cell in cells]


def _source(fields: Fields) -> NotebookSource:
    is_code = fields.text("cell_type") == "code"
    return NotebookSource(
        _joined(fields, "source"), is_code, "".join(_shown(fields)) if is_code else ""
    )


def _joined(fields: Fields, name: str) -> str:
    """A text, which notebooks may keep as a list of lines."""
    if isinstance(fields.values.get(name), list):
        return "".join(fields.texts(name))
    return fields.text(name, "")


def _shown(fields: Fields) -> Iterator[str]:
    for number, value in enumerate(fields.list("outputs")):
        output = Fields(f"{fields.where}, output {number}", value)
        kind = output.text("output_type")
        if kind == "stream" and output.text("name", "stdout") == "stdout":
            yield _joined(output, "text")
        elif kind in ("execute_result", "display_data"):
            yield _joined(output.object("data"), "text/plain")


def prompt_of(nearest: Sequence[NotebookSource], columns: str) -> str:
    """The cells before the target, as code; text becomes comments, and so do column names."""
    parts = [f"# Columns: {columns}"] if columns else []
    for cell in nearest[-NEAREST:]:
        lines = cell.text.strip().splitlines()
        parts.append("\n".join(lines if cell.is_code else [f"# {line}".rstrip() for line in lines]))
    return "\n\n".join(part for part in parts if part) + "\n"


def libraries_of(cells: Iterable[str]) -> tuple[str, ...]:
    """What the cells import besides the standard library."""
    found = {name for cell in cells for name in _IMPORT.findall(cell)}
    return tuple(sorted(found - sys.stdlib_module_names))


def data_files(folder: Path) -> dict[str, str]:
    """Path → base64 of all that lies beside a notebook."""
    return {
        path.relative_to(folder).as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".ipynb" and ".ipynb_checkpoints" not in path.parts
    }


def notebook_folders(path: Path) -> list[Path]:
    return sorted(inner.parent for inner in path.glob(f"*/{CELLS}"))


def rows_of(folder: Path) -> list[Fields]:
    """The target cells that cells.toml names."""
    about = read_toml(folder / CELLS)
    cells = enumerate(about.list("cell"))
    return [Fields(f"{about.where}, cell {number}", value) for number, value in cells]


def read_folder(folder: Path, suite: str) -> list[Task]:
    """One task a target cell: its own code is the reference, what it showed is accepted."""
    cells = read_notebook(folder / NOTEBOOK)
    files = data_files(folder / "files")
    columns = "; ".join(_columns(folder / "files"))
    return [_task(fields, suite, folder.name, cells, files, columns) for fields in rows_of(folder)]


def _columns(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.csv")):
        head = read_text(path).partition("\n")[0]
        yield f"{path.name}: {', '.join(head.split(','))}"


def _task(
    fields: Fields,
    suite: str,
    notebook: str,
    cells: Sequence[NotebookSource],
    files: dict[str, str],
    columns: str,
) -> Task:
    row = fields.positive("row", 1)
    if row >= len(cells) or not cells[row].is_code:
        fields.refuse("row", f"must be a code cell of {NOTEBOOK}, found {row}")
    accepted = (cells[row].shown, *fields.texts("accepted"))
    if not any(text.strip() for text in accepted):
        fields.refuse("accepted", "is missing, and the cell has no output of its own")
    context = tuple(cell.text for cell in cells[:row] if cell.is_code)
    limits = fields.object("limits")
    return Task(
        id=f"{notebook}/{row}",
        suite=suite,
        language=Language.PYTHON,
        style=Style.CELL,
        prompts={"en": prompt_of(cells[:row], columns)},
        tests=(OUTPUT,),
        data_files=files,
        reference=cells[row].text,
        libraries=libraries_of(context),
        cluster=f"{suite}/{notebook}",
        tags=fields.texts("tags"),
        limits=Limits(
            **{
                name: limits.positive(name, getattr(Limits(), name))
                for name in ("seconds", "total_seconds", "memory_mb")
            }
        ),
        extra=Cell(
            context,
            AnswerType(fields.one_of("answer_type", AnswerType)),
            tuple(text for text in accepted if text.strip()),
        ).to_extra(),
    )
