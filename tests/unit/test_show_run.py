"""`show RUN`: where its figures come from, as a page that people read."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from rich.console import Console

from made import make_run, make_task, make_verdict
from polyassay.cli import COMMANDS, SECTIONS, polyassay
from polyassay.report.site import _in_words
from polyassay.report.terminal.listing import print_items, print_labelled
from polyassay.report.terminal.provenance import print_provenance
from polyassay.store import Store, schema
from polyassay.texts import speaking


def shown(tmp_path: Path, *words: str) -> str:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    make_run(Store.open(url), [make_task("a")], [make_verdict("a", 2, tool="finch")], limit=4)
    done = CliRunner().invoke(
        polyassay, ["show", "latest", "--store", url, *words], catch_exceptions=False
    )
    assert done.exit_code == 0
    return done.output


def test_a_run_is_told_in_words(tmp_path: Path) -> None:
    lines = shown(tmp_path).splitlines()
    assert re.fullmatch(r"run \w+, started \d{4}-\d\d-\d\d \d\d:\d\d UTC", lines[0])
    named = {line[:16].strip(): line[16:] for line in lines[1:]}
    assert re.match(r"\w+.*, 1 task, checksum \S{1,12}$", named["suites"])
    assert named["tools"] == "finch, 1 answer"
    assert named["settings"] == "limit 4"
    assert not re.search(r"[{}\[\]]|None|null", "\n".join(lines))


def test_an_imported_run_says_so_first_and_cannot_draw_lines_of_its_own(store: Store) -> None:
    run = make_run(store, [make_task("a")], [make_verdict("a", 2, tool="finch\n  judged here")])
    lie = "ruff\nIts verdicts were judged here.\x1b[2J"
    told = {"imported": True, "created_there": "2026-01-02T03:04:05+00:00", "revision": lie}
    out = io.StringIO()
    print_provenance(
        Console(file=out, width=200), replace(run, provenance={**run.provenance, **told})
    )
    lines = out.getvalue().splitlines()
    assert ", imported 20" in lines[0]
    there = "its file says that it was started 2026-01-02 03:04."
    assert lines[1] == f"  Its verdicts were not judged here; {there}"
    assert not any(
        line.strip().startswith(("Its verdicts were judged", "judged")) for line in lines
    )
    assert "\x1b" not in out.getvalue()


def test_the_list_marks_what_was_imported(tmp_path: Path, store: Store, store_url: str) -> None:
    run = make_run(store, [make_task("a")], [make_verdict("a", 2)])
    make_run(store, [make_task("a")], [make_verdict("a", 2)])
    with store._transaction() as connection:
        facts = {**run.provenance, "imported": True, "created_there": "2026-01-02T03:04:05+00:00"}
        here = schema.runs.c.id == run.id
        connection.execute(schema.runs.update().where(here).values(provenance=json.dumps(facts)))
    listed = CliRunner().invoke(polyassay, ["runs", "list", "--store", store_url]).stdout
    assert listed.count("(imported)") == 1
    as_json = ["runs", "list", "--json", "--store", store_url]
    told = json.loads(CliRunner().invoke(polyassay, as_json).stdout)
    assert [one["imported"] for one in told] == [False, True]
    assert told[1]["created_there"].startswith("2026-01-02")


def test_a_run_of_some_tasks_says_how_many(tmp_path: Path, store: Store) -> None:
    tasks = [make_task(name, suite=suite) for suite in ("s", "t") for name in "abc"]
    run = make_run(store, tasks, [make_verdict("a", 2, suite="s")])
    run.provenance["options"]["tasks"] = [["s", "a"], ["s", "b"]]
    out = io.StringIO()
    print_provenance(Console(file=out, width=200), run)
    assert "s 1.0, 2 of 3 tasks, checksum" in out.getvalue()
    assert "t 1.0, 0 of 3 tasks, checksum" in out.getvalue()
    assert "settings" not in out.getvalue()


def test_names_are_words_of_the_page() -> None:
    assert [_in_words("es", "prompt_language"), _in_words("java", "language")] == [
        "Spanish",
        "Java",
    ]
    assert [_in_words("eo", "prompt_language"), _in_words("open", "domain")] == ["eo", "open"]
    with speaking("zh"):
        assert _in_words("es", "prompt_language") == "西班牙语"


def test_long_texts_stand_beside_their_labels_and_no_mark_is_parted_from_its_test() -> None:
    out = io.StringIO()
    console = Console(file=out, width=40)
    print_labelled(console, "prompt", "Return the median of the values, and nothing else at all.")
    print_items(console, [f"✓ test_number_{n}" for n in range(5)], "")
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("  prompt    Return the median")
    assert all(line.startswith(" " * 12) for line in lines[1:3])
    marks = [line for line in lines if "✓" in line]
    assert len(marks) == 3 and all(len(line) <= 40 for line in marks)
    assert all(line.count("✓") == line.count("test_number_") for line in marks)


def test_help_lists_every_command_once_in_a_line() -> None:
    listed = [name for commands in SECTIONS.values() for name in commands]
    assert sorted(listed) == sorted(COMMANDS)
    result = CliRunner().invoke(polyassay, ["--help"], env={"COLUMNS": "80"})
    told = {name: line for of in SECTIONS.values() for name, line in of.items()}
    for name, line in told.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", result.stdout, re.MULTILINE), name
