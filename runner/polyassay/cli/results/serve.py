"""`polyassay serve`."""

import click

from polyassay.cli.common import home, json_option, open_store, print_json, store_option
from polyassay.serving.application import StoreApplication
from polyassay.web.server import LOOPBACK, kept_token, listen

USUAL_PORT = 8643


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help=f"[{USUAL_PORT}, or free]."
)
@store_option
@json_option
def serve(port: int | None, store_url: str | None, as_json: bool) -> None:
    """Shows all runs of the store in a browser, live while a run goes on.

    The list of runs, each run's report with its tasks, the leaderboard and the history. The server
    listens on this machine only, and its address cannot be guessed. Nothing can be changed there.

    \b
    polyassay serve
    """
    application = StoreApplication(open_store(store_url), home())
    token = kept_token(home() / "serve.json")
    server = listen({token: application}, LOOPBACK, port, USUAL_PORT)
    url = server.url(token)
    if as_json:
        print_json({"url": url})
    else:
        click.echo(url)
        click.echo("Ctrl-C ends the server.", err=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        click.echo(err=True)
