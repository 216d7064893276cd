"""`polyassay gc`: clears away what runs that were killed left behind."""

import click

from polyassay.cli.common import json_option, output, print_json
from polyassay.sandbox.docker import connect, remove_orphans
from polyassay.wording import counted


@click.command()
@json_option
def gc(as_json: bool) -> int:
    """Removes the Docker containers of runs that were killed.

    Only `--sandbox docker` can leave any: everything else dies with its run. The next run in
    Docker clears them away by itself.

    \b
    polyassay gc
    """
    removed = remove_orphans(connect())
    if as_json:
        print_json({"containers": removed})
    else:
        output().print(f"{counted(removed, 'container')} removed.")
    return 0
