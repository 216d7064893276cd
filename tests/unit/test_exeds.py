"""ExeDS' layout, with notebooks written here: what is missing is told, and stops nothing else."""

import base64
import csv
import json
from pathlib import Path

import pytest

from polyassay.candidates import read_answers
from polyassay.comparison import AnswerType
from polyassay.comparison.cell import MISSING, cell_of
from polyassay.errors import PolyAssayError
from polyassay.model import Style
from polyassay.suites.public import exeds


def item(file: str, row: int | str, code: str) -> dict:
    return {
        "idx": 0,
        "url": "",
        "file": file,
        "executable": True,
        "table_keys": ["city", "rain"],
        "output": {"ori": code, "ori_token": code.split(), "str": code, "position": row},
        "context_dist1": {"ori": "The mean of the rain.", "cell_type": "markdown"},
        "context_dist2": {"ori": "df = df.dropna()", "cell_type": "code"},
        "context_dist3": {},
    }


def notebook(*cells: str) -> str:
    made = [
        {"cell_type": "markdown", "source": [f"{cell[1:]}\n"]}
        if cell.startswith("#")
        else {"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []}
        for cell in cells
    ]
    return json.dumps({"cells": made, "nbformat": 4})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    rows = [
        item("file_1", 4, "df['rain'].mean()"),
        item("file_1", "5", "print(df.shape)"),
        item("file_2", 1, "df.head()"),
    ]
    (tmp_path / "exeds_test.json").write_text(json.dumps(rows))
    folder = tmp_path / "ExeDS_notebooks" / "file_1"
    folder.mkdir(parents=True)
    cells = ("%load_ext dumpvar_0_extension", "import pandas as pd",
             "#Rain", "df = pd.read_csv('[DATA_ROOT]/file_1/rain.csv')",
             "df['rain'].mean()", "print(df.shape)")  # fmt: skip
    (folder / "file_1.ipynb").write_text(notebook(*cells))
    (folder / "rain.csv").write_text("city,rain\nBergen,9\n")
    head = ["file", "row", "ans1", "ans2", "ans3", "c1", "c2", "c3", "", "answer_type"]
    answers = [["file_1.ipynb", "4", "9.0", "", "9", "", "", "", "", "number"]]
    with (tmp_path / "ExeDS_notebooks" / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([head, *answers])
    return tmp_path


def test_a_row_becomes_a_task(checkout: Path) -> None:
    (suite,) = exeds.read(checkout, None)
    task = suite.tasks[0]
    cell = cell_of(task)
    assert (suite.name, suite.version) == ("exeds", "1.0+unverified")
    assert (task.id, task.style, task.reference) == ("file_1/4", Style.CELL, "df['rain'].mean()")
    assert cell.context == ("import pandas as pd", "df = pd.read_csv('./rain.csv')")
    assert (cell.answer_type, cell.accepted) == (AnswerType.NUMBER, ("9.0", "9"))
    assert base64.b64decode(task.data_files["rain.csv"]) == b"city,rain\nBergen,9\n"
    assert task.libraries == ("pandas",)
    assert task.prompts["en"] == (
        "# Columns: city, rain\n\ndf = df.dropna()\n\n# The mean of the rain.\n"
    )


def test_what_is_missing_is_told_and_the_rest_is_read(checkout: Path) -> None:
    (suite,) = exeds.read(checkout, "mine")
    missing = {task.id: task.extra[MISSING] for task in suite.tasks if MISSING in task.extra}
    assert missing == {
        "file_1/5": "row 5 of it in answers.csv is missing",
        "file_2/1": "ExeDS_notebooks/file_2 is missing",
    }


def test_without_notebooks_there_is_no_suite(checkout: Path) -> None:
    (checkout / "ExeDS_notebooks").rename(checkout / "elsewhere")
    with pytest.raises(PolyAssayError, match="has no folder ExeDS_notebooks"):
        exeds.read(checkout, None)


def test_generations_are_joined_on_the_reference(checkout: Path) -> None:
    (suite,) = exeds.read(checkout, None)
    generations = [
        {"target": "df [ 'rain' ] . mean ( )", "generation": "print ( df.rain.mean() )"},
        {"target": "print ( df . shape )", "generation": "df Ġ = Ġ df Ċ print(len(df))"},
        {"target": "nobody . asked ( )", "generation": "1"},
    ]
    path = checkout / "generations.json"
    path.write_text(json.dumps(generations))
    answers = read_answers(path, "model", {"exeds": suite})
    found = {candidate.key.task: candidate.answer for candidate in answers.candidates}
    assert found == {
        "file_1/4": "print ( df.rain.mean() )",
        "file_1/5": "df = df\nprint(len(df))",
    }
    assert dict(answers.unknown) == {"target nobody.asked()": 1}
