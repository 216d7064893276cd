"""Labels of runs, and taking runs away."""

import json
import re

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.store import LATEST, Run, Store, schema

LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


def label_run(store: Store, run: Run, label: str) -> None:
    """Gives a run a name, or takes its name away where the label is empty."""
    if label:
        _refuse_label(store, run, label)
    facts = {**run.provenance, "label": label}
    if not label:
        del facts["label"]
    with store._transaction() as connection:
        update = schema.runs.update().where(schema.runs.c.id == run.id)
        connection.execute(update, {"provenance": json.dumps(facts)})


def _refuse_label(store: Store, run: Run, label: str) -> None:
    if not LABEL.fullmatch(label) or label == LATEST:
        raise PolyAssayError(
            f'"{label}" cannot be a label.',
            hint=f"Use letters, digits, dots, dashes and underscores, and not {LATEST}.",
        )
    for other in store.runs():
        if other.id == label or (other.label == label and other.id != run.id):
            raise PolyAssayError(
                f'"{label}" names the run {other.id} already.',
                hint=f"Take it away first: `polyassay runs label {other.id} --remove`.",
            )


def delete_run(store: Store, run: Run) -> None:
    """Takes a run away with all that belongs to it alone; graders' scores belong to answers."""
    kept = {
        facts["checksum"]
        for other in store.runs()
        if other.id != run.id
        for facts in other.provenance["suites"].values()
    }
    own = {facts["checksum"] for facts in run.provenance["suites"].values()} - kept
    with store._transaction() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if "run" in table.c:
                connection.execute(table.delete().where(table.c.run == run.id))
        connection.execute(schema.runs.delete().where(schema.runs.c.id == run.id))
        graded = set(connection.execute(sa.select(schema.sessions.c.suite)).scalars())
        for checksum in own - graded:
            table = schema.suites
            connection.execute(table.delete().where(table.c.checksum == checksum))
