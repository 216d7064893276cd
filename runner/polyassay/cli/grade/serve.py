"""`polyassay grade serve`."""

import json
from collections.abc import Mapping
from typing import Any

import click

from polyassay.cli.common import home, json_option, print_json
from polyassay.cli.grade.sitting import Seat, seating_options, seats
from polyassay.errors import PolyAssayError
from polyassay.rubric.browser.application import GradingApplication
from polyassay.web.messages import Application
from polyassay.web.server import LOOPBACK, SmallServer, new_token

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
    tokens = [_token(seat) for seat in taken]
    rooms = [GradingApplication(seat.room) for seat in taken]
    server = _listening(dict(zip(tokens, rooms, strict=True)), host, port)
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


def _listening(applications: Mapping[str, Application], host: str, port: int | None) -> SmallServer:
    """On the usual port, so that an open page finds the server again; else on a free one."""
    if port is not None:
        return SmallServer(applications, host, port)
    try:
        return SmallServer(applications, host, USUAL_PORT)
    except PolyAssayError:
        return SmallServer(applications, host, 0)


def _token(seat: Seat) -> str:
    """Random, and kept beside the store, so that an open page goes on after a restart."""
    file = home() / "graders" / f"{seat.session.id}.json"
    try:
        known: Any = json.loads(file.read_text())
        return str(known["token"])
    except (OSError, ValueError, KeyError, TypeError):
        token = new_token()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps({"token": token}))
    return token
