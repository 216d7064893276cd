"""`polyassay export`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

import click

from polyassay.cli.common import messages, open_store, store_option
from polyassay.errors import PolyAssayError
from polyassay.model import Verdict
from polyassay.report.exports.junit import write_junit
from polyassay.report.exports.rows import write_csv, write_jsonl
from polyassay.report.exports.sarif import write_sarif
from polyassay.wording import counted

WRITERS: dict[str, Callable[[Iterable[Verdict], TextIO], None]] = {
    "junit": write_junit,
    "csv": write_csv,
    "jsonl": write_jsonl,
    "sarif": write_sarif,
}


@click.command()
@click.argument("run")
@click.option("--format", "kind", type=click.Choice(list(WRITERS)), required=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="A file [-].")
@click.option("--tool", help="Only this tool.")
@store_option
def export(run: str, kind: str, path: Path | None, tool: str | None, store_url: str | None) -> None:
    """Writes a run's verdicts as JUnit XML, CSV, JSON lines or SARIF.

    \b
    polyassay export latest --format junit --tool heron -o heron.xml
    polyassay export latest --format csv > verdicts.csv
    """
    store = open_store(store_url)
    verdicts = store.verdicts(store.run(run).id, tool=tool)
    if path is None:
        WRITERS[kind](verdicts, sys.stdout)
        return
    try:
        with path.open("w", encoding="utf-8", newline="") as out:
            count: Counter[str] = Counter()
            WRITERS[kind](_counting(verdicts, count), out)
        messages().print(f"Wrote {counted(count['verdicts'], 'verdict')} to {path}.", markup=False)
    except OSError as error:
        raise PolyAssayError(
            f"{path} cannot be written: {error.strerror}.", hint="Name another file with -o."
        ) from None


def _counting(verdicts: Iterable[Verdict], count: Counter[str]) -> Iterator[Verdict]:
    for verdict in verdicts:
        count["verdicts"] += 1
        yield verdict
