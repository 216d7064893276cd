"""`polyassay grade calibrate`."""

from pathlib import Path

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import rubric_option, suite_tasks
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.calibration import HINT, read_calibration
from polyassay.rubric.stored import keep_rubric
from polyassay.store.graders import Graders
from polyassay.store.scores import Scores
from polyassay.wording import counted


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@rubric_option
@store_option
@json_option
def calibrate(file: Path, rubric_name: str | None, store_url: str | None, as_json: bool) -> None:
    """Keeps answers whose right scores are known: graders meet them before the first real one.

    A grader who has scored one is told the known scores and why; later ones come silently and show
    whether the grader's measure has shifted. They enter no mean. Sessions that have begun stay as
    they are.

    \b
    {"suite": "aixbench-manual", "task": "3", "answer": "…", "reason": "…",
     "scores": {"correctness": 4, "quality": 2, "maintainability": 3}}
    polyassay grade calibrate known.jsonl
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "it is not UTF-8"
        raise PolyAssayError(f"{file} cannot be read: {told}.", HINT) from None
    rubric = rubrics.load(rubric_name or rubrics.DEFAULT)
    items = read_calibration(text, str(file), rubric, suite_tasks())
    store = open_store(store_url)
    keep_rubric(Scores(store), rubric)
    Graders(store).save_calibration(rubric.name, items)
    if as_json:
        print_json({"kept": len(items)})
        return
    output().print(f"{counted(len(items), 'calibration item')} kept.")
