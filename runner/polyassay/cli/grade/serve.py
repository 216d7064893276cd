"""`polyassay grade serve`."""

from typing import Any

import click

from polyassay.cli.common import home, json_option, print_json
from polyassay.cli.grade.sitting import seating_options, seats
from polyassay.rubric.browser.application import GradingApplication
from polyassay.web.server import LOOPBACK, kept_token, listen

USUAL_PORT = 8642


@click.command()
@seating_options
@click.option(
    "--grader", "names", required=True, multiple=True, metavar="NAME", help="Who grades; several."
)
@click.option("--host", default=LOOPBACK, metavar="ADDRESS", help=f"Where to listen [{LOOPBACK}].")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help=f"[{USUAL_PORT}, or free]."
)
@json_option
def serve(
    names: tuple[str, ...], host: str, port: int | None, as_json: bool, **options: Any
) -> None:
    """Grades in a browser: the same session, keys, order and store as `grade start`.

    Each grader has a page of their own at an address that cannot be guessed. The server listens on
    this machine only, unless --host says otherwise: then whoever has an address can grade.

    \b
    polyassay grade serve -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade serve latest --prefer --grader ann --grader bob
    """
    taken = seats(names, options)
    tokens = [kept_token(home() / "graders" / f"{seat.session.id}.json") for seat in taken]
    rooms = [GradingApplication(seat.room) for seat in taken]
    server = listen(dict(zip(tokens, rooms, strict=True)), host, port, USUAL_PORT)
    urls = {
        seat.session.grader: server.url(token) for token, seat in zip(tokens, taken, strict=True)
    }
    if as_json:
        print_json({"graders": urls})
    else:
        for grader, url in urls.items():
            click.echo(f"{grader}:  {url}")
        click.echo("Everything is saved at once. Ctrl-C ends the server.", err=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        click.echo(err=True)
