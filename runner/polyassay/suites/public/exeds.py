"""ExeDS: its dataset JSON, and the folder ExeDS_notebooks with answers.csv and the notebooks.

A task whose notebook or answers are missing stays in the suite, and is reported as not runnable.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from polyassay.comparison import AnswerType
from polyassay.comparison.cell import MISSING, OUTPUT, Cell
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Limits, Style, Suite, Task
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.notebooks import (
    NEAREST,
    NotebookSource,
    data_files,
    libraries_of,
    prompt_of,
    read_notebook,
)
from polyassay.suites.text import parse_json, read_text

DATASET, NOTEBOOKS, ANSWERS = "exeds_test.json", "ExeDS_notebooks", "answers.csv"
# Its notebooks name their own folder by where it once was.
ROOTS = ("[DATA_ROOT]", "./ok_notebooks_rerun_january", "../dataset/ExeDS_notebooks")
TRACING = "%load_ext dumpvar"  # cells that the publisher's tools added
# Cells may take long there: the publisher allows 1000 seconds.
LIMITS = Limits(seconds=100.0, total_seconds=1000.0, memory_mb=2048)
_LONGEST_ANSWER = 16 << 20


def read(path: Path, name: str | None) -> list[Suite]:
    """The folder that has the dataset and the notebooks, or the dataset beside them."""
    manifest, file = load_manifest("exeds"), find_file(path, DATASET)
    name = name or "exeds"
    notebooks = _notebooks(path if path.is_dir() else path.parent, file.parent)
    answers = _answers(notebooks / ANSWERS)
    rows = parse_json(read_text(file), str(file))
    if not isinstance(rows, list):
        raise PolyAssayError(f"{file}: must be a list of tasks.", "check the path after --from.")
    found = [Fields(f"{file}, item {number}", row) for number, row in enumerate(rows)]
    return [
        make_suite(
            name,
            [_task(fields, name, notebooks, answers) for fields in found],
            version=manifest.version_of({DATASET: file}),
            description=manifest.description,
            **manifest.about,
            libraries={
                key: manifest.fields.object("libraries").texts(key)
                for key in manifest.fields.object("libraries").values
            },
        )
    ]


def _notebooks(*places: Path) -> Path:
    found = [folder for place in places for folder in sorted(place.rglob(NOTEBOOKS))]
    if not found:
        raise PolyAssayError(
            f"{places[0]} has no folder {NOTEBOOKS}.",
            "put the notebooks and answers.csv beside the dataset, as ExeDS does.",
        )
    return found[0]


def _answers(path: Path) -> dict[tuple[str, str], list[str]]:
    """(notebook, row) → the line of answers.csv."""
    csv.field_size_limit(_LONGEST_ANSWER)
    try:
        lines = list(csv.reader(io.StringIO(read_text(path))))[1:]
    except csv.Error as error:
        raise PolyAssayError(f"{path}: {error}.", "take the file that ExeDS publishes.") from None
    return {(line[0].partition(".")[0], line[1].strip()): line for line in lines if len(line) > 9}


def _task(
    fields: Fields,
    suite: str,
    notebooks: Path,
    answers: Mapping[tuple[str, str], list[str]],
) -> Task:
    notebook, output = fields.text("file"), fields.object("output")
    row = _row(output)
    folder = notebooks / notebook
    path = next(iter(sorted(folder.glob("*.ipynb"))), None) if "/" not in notebook else None
    answer = answers.get((notebook, str(row)))
    context: tuple[str, ...] = ()
    files: dict[str, str] = {}
    if path is None or answer is None:
        what = f"{NOTEBOOKS}/{notebook}" if path is None else f"row {row} of it in {ANSWERS}"
        extra = {MISSING: f"{what} is missing"}
    else:
        cells = read_notebook(path)[:row]
        code = [_own_paths(cell.text, notebook) for cell in cells if cell.is_code]
        context = tuple(text for text in code if not text.startswith(TRACING))
        extra, files = _cell(context, answer).to_extra(), data_files(folder)
    return Task(
        id=f"{notebook}/{row}",
        suite=suite,
        language=Language.PYTHON,
        style=Style.CELL,
        prompts={"en": _prompt(fields)},
        tests=(OUTPUT,),
        data_files=files,
        reference=output.text("ori"),
        libraries=libraries_of(context),
        cluster=f"{suite}/{notebook}",
        limits=LIMITS,
        extra=extra,
    )


def _row(output: Fields) -> int:
    position = output.values.get("position")
    if isinstance(position, str) and position.strip().isdecimal():
        return int(position)
    if not isinstance(position, int) or position < 0:
        output.refuse("position", "must be the number of a cell")
    return position


def _cell(context: tuple[str, ...], answer: list[str]) -> Cell:
    known = answer[9].strip()
    answer_type = AnswerType(known) if known in list(AnswerType) else AnswerType.TEXT
    return Cell(context, answer_type, tuple(text for text in answer[2:5] if text.strip()))


def _own_paths(text: str, notebook: str) -> str:
    """The data lies in the working directory here."""
    for root in ROOTS:
        text = text.replace(f"{root}/{notebook}", ".").replace(root, "..")
    return text


def _prompt(fields: Fields) -> str:
    """The three nearest cells, the farthest first, below a line with the data's columns."""
    nearest = []
    for distance in range(NEAREST, 0, -1):
        cell = fields.object(f"context_dist{distance}")
        if cell.values.get("ori"):
            nearest.append(
                NotebookSource(cell.text("ori"), cell.text("cell_type", "code") == "code")
            )
    return prompt_of(nearest, ", ".join(fields.texts("table_keys")))
