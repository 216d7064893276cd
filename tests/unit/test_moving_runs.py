"""A run goes into a file and comes out of it elsewhere; a hostile file changes nothing."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from made import make_run, make_task, make_verdict, set_verdict
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Style
from polyassay.rules import RULES
from polyassay.store import Store
from polyassay.store.housekeeping import label_run
from polyassay.store.measured import Measured, MeasuredAnswers
from polyassay.store.moving import copying
from polyassay.store.moving.copying import copy_store
from polyassay.store.moving.run_file import import_run
from polyassay.store.scores import Event, EventKind, Scores
from polyassay.suites.make import content_problem

HOSTILE = "\0 \ud800 \U0001f40d"
TASKS = [make_task("t1"), make_task("t2"), make_task("sets", style=Style.SETS, tests=0)]
VERDICTS = [
    *(make_verdict("t1", n % 3, tool=tool, sample=n) for tool in ("a", "b") for n in range(6)),
    make_verdict("t2", 0, tool="a", output=HOSTILE, reason=HOSTILE, flags=("reused",)),
    set_verdict("sets", {"one": (1, 2), "two": (2, 2)}, tool="b"),
]


def call(*arguments: str) -> Result:
    result = CliRunner().invoke(polyassay, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit | PolyAssayError):
        raise result.exception
    return result


@pytest.fixture
def other(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'other.sqlite'}"


@pytest.fixture
def exported(store: Store, store_url: str, tmp_path: Path) -> Path:
    run = make_run(store, TASKS, VERDICTS)
    label_run(store, run, "release")
    values = Measured(VERDICTS[0].candidate, {"values": {"bleu": 0.5}})
    MeasuredAnswers(store).save(run.id, "standard", "1", [values])
    file = tmp_path / "run.gz"
    result = call("runs", "export", "latest", str(file), "--store", store_url, "--json")
    assert json.loads(result.stdout)["verdicts"] == len(VERDICTS)
    return file


def test_a_run_is_scored_alike_elsewhere(
    store: Store, store_url: str, exported: Path, other: str
) -> None:
    told = json.loads(call("runs", "import", str(exported), "--store", other, "--json").stdout)
    there = Store.open(other)
    (label, suite) = told.pop("remarks")
    assert told == {"run": store.run("latest").id, "new": True}
    assert 'Its label in the file, "release", was left out.' in label
    assert suite == "No suite s is here, so its tests are the file's own."
    kept, sent = there.run("latest"), store.run("release")
    facts = {name: value for name, value in sent.provenance.items() if name != "label"}
    assert kept.provenance == {**facts, "imported": True, "created_there": sent.created}
    assert kept.created > sent.created  # it counts from when it arrived
    assert list(there.verdicts(told["run"])) == list(store.verdicts(told["run"]))
    assert list(there.candidates(told["run"])) == list(store.candidates(told["run"]))
    assert there.suites(there.run("latest")) == store.suites(store.run("latest"))
    for command in (["score", "latest", "--json"], ["compare", "latest", "a", "b", "--json"]):
        here = call(*command, "--store", store_url).stdout
        assert here and call(*command, "--store", other).stdout == here
    assert (
        "Imported: its verdicts were not judged here."
        in call("score", "latest", "--store", other).stdout
    )
    board = call("leaderboard", "show", "--store", other).stdout
    told_there = f"imported on {kept.created[:10]}; its file says {sent.created[:10]}"
    assert f"{told_there}; not judged here): a, b" in " ".join(board.split())
    assert f"{kept.id} (imported)" in board
    again = call("runs", "import", str(exported), "--store", other)
    assert "here already" in again.stdout and len(there.runs()) == 1


def test_an_id_that_is_taken_is_changed(store: Store, exported: Path, other: str) -> None:
    there = Store.open(other)
    taken = make_run(there, TASKS[:1], VERDICTS[:3])
    with there._transaction() as connection:
        for name in ("candidates", "verdicts", "verdict_bodies"):
            connection.exec_driver_sql(f"DELETE FROM {name}")
        new = store.run("latest").id
        connection.exec_driver_sql(f"UPDATE runs SET id = '{new}' WHERE id = '{taken.id}'")
    found = import_run(there, exported, content_problem)
    assert found.new and found.run.id != new == found.told_id
    assert there.count_verdicts(found.run.id) == len(VERDICTS)


def repacked(file: Path, change: Callable[[list[Any]], None]) -> Path:
    """The file with other lines, and a checksum that fits them."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()][:-1]
    change(lines)
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    end = json.dumps({"sha256": hashlib.sha256(text).hexdigest()}).encode() + b"\n"
    file.write_bytes(gzip.compress(text + end))
    return file


def line_of(lines: list[Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(line[kind] for line in lines if kind in line)
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.__setitem__(0, [1]),
        lambda lines: lines[0].update(polyassay_run=2),
        lambda lines: lines[0].update(run=None),
        lambda lines: lines[0]["run"].update(id=7),
        lambda lines: lines[0]["run"].update(id="../../x" * 99),
        lambda lines: lines[0]["run"].update(created="tomorrow"),
        lambda lines: lines[0]["run"]["provenance"].update(options={"tasks": [1]}),
        lambda lines: lines[0]["run"]["provenance"].update(options={"limit": "4"}),
        lambda lines: lines[0]["run"]["provenance"].update(environments=[1]),
        lambda lines: lines[0]["run"]["provenance"].update(environments={"s": {"set": 1}}),
        lambda lines: lines[0]["run"]["provenance"].update(interpreters={"s": ["3.13"]}),
        lambda lines: lines[0]["run"]["provenance"].update(command=5),
        lambda lines: lines[0]["run"]["provenance"]["candidates"].update(sources=[5]),
        lambda lines: line_of(lines, "suite")["tasks"][0].update(tests=[]),
        lambda lines: lines[0]["run"]["provenance"].update(suites=[]),
        lambda lines: lines[0]["run"]["provenance"]["candidates"].update(tools={"a": -1}),
        lambda lines: lines[0]["lines"].update(verdict=10**9),
        lambda lines: lines[0]["lines"].update(verdict=1),
        lambda lines: line_of(lines, "suite").update(tasks=3),
        lambda lines: line_of(lines, "suite").update(checksum="d" * 64),
        lambda lines: line_of(lines, "suite").update(surprise=1),
        lambda lines: line_of(lines, "candidate").update(answer=5),
        lambda lines: line_of(lines, "candidate").update(task="../t9"),
        lambda lines: line_of(lines, "candidate").update(sample=True),
        lambda lines: line_of(lines, "candidate").update(origin="{"),
        lambda lines: line_of(lines, "verdict").update(outcome="splendid"),
        lambda lines: line_of(lines, "verdict").update(passed="1"),
        lambda lines: line_of(lines, "verdict").update(sample=2**40),
        lambda lines: line_of(lines, "verdict").update(body="[" * 100_000),
        lambda lines: line_of(lines, "verdict").update(body="{}"),
        lambda lines: line_of(lines, "verdict").pop("judged"),
        lambda lines: line_of(lines, "measured").update(body="3"),
        lambda lines: lines.append({"verdict": {}}),
        lambda lines: lines.pop(),
    ],
)
def test_a_hostile_file_changes_nothing(exported: Path, other: str, change: Any) -> None:
    result = call("runs", "import", str(repacked(exported, change)), "--store", other)
    assert isinstance(result.exception, PolyAssayError)
    assert Store.open(other).runs() == []


@pytest.mark.parametrize("odd", [99, 10**30, "5", True, -1, 0, None, [5]])
def test_rules_that_nobody_here_knows_are_refused(exported: Path, other: str, odd: object) -> None:
    sent = repacked(exported, lambda lines: lines[0]["run"]["provenance"].update(rules=odd))
    result = call("runs", "import", str(sent), "--store", other)
    assert f"it names no rules from 1 to {RULES}" in str(result.exception)
    assert Store.open(other).runs() == []


@pytest.mark.parametrize("size", [0, 10, 400])
def test_a_file_that_is_cut_off_or_no_such_file(exported: Path, other: str, size: int) -> None:
    exported.write_bytes(exported.read_bytes()[:size])
    with pytest.raises(PolyAssayError):
        import_run(Store.open(other), exported, content_problem)
    exported.write_bytes(b"no gzip at all")
    with pytest.raises(PolyAssayError, match="cannot be read"):
        import_run(Store.open(other), exported, content_problem)
    with pytest.raises(PolyAssayError, match="cannot be read"):
        import_run(Store.open(other), Path("nowhere.gz"), content_problem)


def test_a_changed_byte_is_found(exported: Path, other: str) -> None:
    text = gzip.decompress(exported.read_bytes()).replace(b"bleu", b"blue")
    exported.write_bytes(gzip.compress(text))
    with pytest.raises(PolyAssayError, match="checksum is wrong"):
        import_run(Store.open(other), exported, content_problem)
    assert Store.open(other).runs() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: line_of(lines, "verdict").update(outcome="crashed"),
        lambda lines: line_of(lines, "candidate").update(answer="return 7"),
        lambda lines: (
            lines[0]["lines"].update(verdict=13),
            lines.remove({"verdict": line_of(lines, "verdict")}),
        ),
    ],
)
def test_a_changed_file_is_not_taken_for_the_run_that_is_here(
    exported: Path, other: str, change: Any
) -> None:
    there = Store.open(other)
    run = import_run(there, exported, content_problem).run
    before = list(there.verdicts(run.id))
    assert not import_run(there, exported, content_problem).new
    with pytest.raises(PolyAssayError, match=f"says that it is run {run.id}"):
        import_run(there, repacked(exported, change), content_problem)
    assert list(there.verdicts(run.id)) == before and len(there.runs()) == 1
    exported.write_bytes(exported.read_bytes()[:400])
    with pytest.raises(PolyAssayError, match=r"cannot be read|cut off"):
        import_run(there, exported, content_problem)


def test_another_suite_under_the_same_checksum_is_refused(exported: Path, other: str) -> None:
    import_run(Store.open(other), exported, content_problem)

    def change(lines: list[Any]) -> None:
        lines[0]["run"]["id"] = "rother"
        line_of(lines, "suite")["tasks"][0]["prompts"] = {"en": "Do something else."}

    with pytest.raises(PolyAssayError, match="s is not the suite that it says it is"):
        import_run(Store.open(other), repacked(exported, change), content_problem)


def test_a_store_is_copied_whole_and_goes_on(store: Store, exported: Path, other: str) -> None:
    scores = Scores(store)
    scores.save_rubric("aixbench", "text")
    key = CandidateKey("s", "t1", "a", "en", 0)
    scores.append(Event(EventKind.SCORE, "ann", "aixbench", key, dimension="quality", score=1))
    target = Store.open(other)
    rows = copy_store(store, target)
    assert (rows["runs"], rows["verdicts"], rows["grade_events"]) == (1, len(VERDICTS), 1)
    run = store.run("latest")
    assert target.runs() == store.runs()
    assert list(target.verdicts(run.id)) == list(store.verdicts(run.id))
    assert Scores(target).events() == scores.events()
    more = Event(EventKind.FLAG, "ann", "aixbench", key)
    assert Scores(target).append(more).id == scores.append(more).id
    with pytest.raises(PolyAssayError, match="not empty"):
        copy_store(store, target)


def test_stores_are_copied_by_their_addresses(
    exported: Path, store_url: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE", store_url)
    result = call("store", "copy", "$SOURCE", other)
    assert result.stdout == f"1 run with {len(VERDICTS)} verdicts copied.\n"
    missing = call("store", "copy", "sqlite:///nowhere.sqlite", other)
    assert isinstance(missing.exception, PolyAssayError)


def test_moving_is_told_in_a_sentence(
    exported: Path, store_url: str, other: str, tmp_path: Path
) -> None:
    file = tmp_path / "again.gz"
    run = Store.open(store_url).run("latest").id
    told = call("runs", "export", "latest", str(file), "--store", store_url).stdout
    assert told.replace("\n", "") == f"Run {run} with {len(VERDICTS)} verdicts is in {file}."
    first, second = (call("runs", "import", str(file), "--store", other).stdout for _ in "12")
    assert first.splitlines()[0] == f"Run {run} is in the store now."
    assert f"Judge it here:  polyassay run --again {run}" in first
    assert f"Give it one:  polyassay runs label {run} NAME" in first
    assert second == f"Run {run} is here already.\n"


def test_a_run_that_cannot_be_written_leaves_nothing(
    exported: Path, store_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "taken.gz"
    folder.mkdir()
    refused = call("runs", "export", "latest", str(folder / "no" / "run.gz"), "--store", store_url)
    assert "cannot be written: No such file" in str(refused.exception)
    assert list(folder.iterdir()) == []


def test_copying_many_rows_says_how_far_it_is(
    exported: Path, store: Store, store_url: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "_BATCH", 5)
    monkeypatch.setattr(copying, "_TOLD", 10)
    said: list[str] = []
    copy_store(store, Store.open(other), said.append)
    assert "10 rows of verdicts are copied." in said
    rows = call("store", "copy", store_url, f"{other}2", "--json").stdout
    assert json.loads(rows)["rows"]["verdicts"] == len(VERDICTS)
