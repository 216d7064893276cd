"""A notebook with the cells before the one that is asked for, and a cell for the answer.

The answer is whatever code stands behind the context's cells: tools add cells of their own.
"""

import json
from collections.abc import Iterator
from typing import Any

from polyassay.collect.stubs.comment import comment
from polyassay.comparison.cell import MISSING, cell_of
from polyassay.model import Task

ANSWER = "polyassay-answer"
BEFORE = "polyassay-before-"


def notebook(task: Task, prompt_language: str) -> str:
    cells = [_cell(f"{BEFORE}{n}", text) for n, text in enumerate(_context(task))]
    cells.append(_cell(ANSWER, stub_cell(task, prompt_language)))
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def stub_cell(task: Task, prompt_language: str) -> str:
    """What the prompt says besides the code of the cells that the notebook shows anyway."""
    prompt = task.prompts.get(prompt_language) or next(iter(task.prompts.values()), "")
    said = [line.lstrip("# ") for line in prompt.splitlines() if line.startswith("#")]
    return comment("\n".join(said) or prompt, "#")


def context_script(task: Task) -> str:
    """The cells before, as a script that editors show as cells."""
    return "".join(f"# %%\n{cell.rstrip()}\n\n" for cell in _context(task))


def _context(task: Task) -> tuple[str, ...]:
    return () if MISSING in task.extra else cell_of(task).context


def _cell(name: str, text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": name,
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


class NotANotebook(Exception):
    """A tool left something that no notebook is."""


def answer_in(text: str) -> str:
    """The code of all cells but the context's, in their order."""
    return "\n\n".join(source for name, source in _code_cells(text) if not name.startswith(BEFORE))


def context_in(text: str) -> str:
    return "\n\n".join(source for name, source in _code_cells(text) if name.startswith(BEFORE))


def with_answer(text: str, code: str) -> str:
    """The notebook with this code in the answer's cell."""
    book = _book(text)
    for cell in book["cells"]:
        if cell.get("id") == ANSWER:
            cell["source"] = code.splitlines(keepends=True)
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _code_cells(text: str) -> Iterator[tuple[str, str]]:
    for cell in _book(text)["cells"]:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            joined = "".join(map(str, source)) if isinstance(source, list) else str(source)
            yield str(cell.get("id", "")), joined


def _book(text: str) -> dict[str, Any]:
    try:
        book = json.loads(text)
    except (ValueError, RecursionError):
        raise NotANotebook("it is not JSON") from None
    if not isinstance(book, dict) or not isinstance(book.get("cells"), list):
        raise NotANotebook("it has no cells")
    return book
