"""`polyassay grade pack` and `unpack`."""

from pathlib import Path
from typing import Any

import click

from polyassay.cli.common import json_option, messages, open_store, output, print_json, store_option
from polyassay.cli.grade.sitting import seating_options, seats
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.browser.packing import packed
from polyassay.rubric.browser.unpacking import HINT, MOST_BYTES, ReturnedScores
from polyassay.store.scores import Scores
from polyassay.wording import counted


@click.command()
@seating_options
@click.option("--grader", required=True, metavar="NAME", help="Who will grade.")
@click.option(
    "-o", "--output", "file", required=True, type=click.Path(path_type=Path), help="An HTML file."
)
@json_option
def pack(grader: str, file: Path, as_json: bool, **options: Any) -> None:
    """Packs one grader's session into one HTML file, for someone far away.

    It opens in any browser, without a network. The grader downloads the scores and sends them back;
    `grade unpack` takes them. Nothing in the file tells tools apart. References are in it only with
    --open-reference.

    \b
    polyassay grade pack latest --grader ann -o ann.html
    """
    (seat,) = seats((grader,), options)
    text = packed(seat.room, seat.session.id)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PolyAssayError(
            f"{file} cannot be written: {error.strerror}.", hint="Name another file with -o."
        ) from None
    items = len(seat.room.desk.screens)
    if as_json:
        print_json({"session": seat.session.id, "items": items, "bytes": len(text.encode())})
        return
    messages().print(
        f"{counted(items, 'item')} for {grader} in {file}. "
        "Scores come back with:  polyassay grade unpack FILE",
        soft_wrap=True,
    )


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
@json_option
def unpack(files: tuple[Path, ...], store_url: str | None, as_json: bool) -> None:
    """Takes scores that graders sent back; what is there already is not taken twice.

    \b
    polyassay grade unpack scores-g1a2b3c4d.json
    """
    store = open_store(store_url)
    scores = Scores(store)
    told = []
    for file in files:
        returned = ReturnedScores(_read(file), str(file))
        found = scores.sessions(id=returned.session)
        if not found:
            raise PolyAssayError(f"{file}: the store has no such session.", hint="Use its --store.")
        (session,) = found
        text = scores.rubric_text(session.rubric)
        assert text is not None
        new, there = returned.keep(store, session, rubrics.parse(text, session.rubric))
        told.append({"file": str(file), "grader": session.grader, "new": new, "there": there})
    if as_json:
        print_json(told)
        return
    for one in told:
        line = f"{one['file']}: {one['new']} key presses of {one['grader']} taken"
        output().print(line + f", {one['there']} were there already." * bool(one["there"]))


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise PolyAssayError(f"{file} cannot be read: {error.strerror}.", HINT) from None
