"""`polyassay schema`."""

import json

import click

from polyassay.schemas import SCHEMAS
from polyassay.schemas import schema as schema_of


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
def schema(name: str) -> None:
    """Prints the JSON Schema of a file: for editors, and for programs that write such files.

    A task is a line of a native suite, an answer a line of a native answer file, a score a row of
    graders' scores, a study all of study.toml.

    \b
    polyassay schema study > study.schema.json
    polyassay schema task
    """
    click.echo(json.dumps(schema_of(name), indent=2, ensure_ascii=False))
