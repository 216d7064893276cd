"""What only a server can do: be shared by machines, restart, and ask for a password."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import postgres
from command_line import PolyAssay, command, environment, write_jsonl
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey
from polyassay.store import Store, database
from polyassay.store.locks import SessionLock
from unit.test_store import KEY, SUITE, started, verdict

SLOW = "import time\n\ndef f():\n    time.sleep(1)\n    return 1\n"


@pytest.fixture
def own_server() -> Iterator[postgres.Server]:
    """A server that a test may stop."""
    with postgres.running() as server:
        yield server


def test_a_run_has_one_executor_and_the_second_hears_who_it_is(
    postgres_server: postgres.Server,
) -> None:
    url = postgres_server.new_database()
    first, second = Store.open(url), Store.open(url)
    run = started(first)
    with first.alone(run):
        with pytest.raises(PolyAssayError, match=r"executed by process \d+ on .*, since 20"):
            second.alone(run).__enter__()
        first.save_verdicts(run, [verdict()])
        other = started(second)
        with second.alone(other):
            pass
    with second.alone(run):
        assert list(second.verdicts(run)) == [verdict()]


def test_a_run_can_start_while_another_is_still_being_written(
    postgres_server: postgres.Server,
) -> None:
    url = postgres_server.new_database()
    store, other = Store.open(url), Store.open(url)
    started(store)  # the suite is known: two that bring a new one still wait for each other
    meanwhile: list[str] = []

    def candidates() -> Iterator[Candidate]:
        meanwhile.append(started(other))
        yield Candidate(KEY, "x = 1")

    last = store.start_run([SUITE], candidates(), {"suites": {}})
    assert [run.id for run in store.runs()][:2] == [last.id, *meanwhile]
    assert [run.number for run in store.runs()] == [3, 2, 1] and last.number == 3


def test_a_store_goes_on_when_its_server_is_back(own_server: postgres.Server) -> None:
    store = Store.open(own_server.new_database())
    run = started(store)
    with store.alone(run):
        store.save_verdicts(run, [verdict()])
        own_server.stop("immediate")
        own_server.start()
        other = CandidateKey("s", "t2", "finch", "en", 0)
        store.save_verdicts(run, [verdict(other)])
        assert store.judged_keys(run) == {KEY, other}
        with pytest.raises(PolyAssayError, match="is being executed"):
            SessionLock(store._database, run)  # it was taken again


def test_a_lock_that_another_process_took_meanwhile_stops_the_first(
    own_server: postgres.Server,
) -> None:
    url = own_server.new_database()
    first, second = Store.open(url), Store.open(url)
    run = started(first)
    with first.alone(run):
        own_server.stop("immediate")
        own_server.start()
        with second.alone(run):
            with pytest.raises(PolyAssayError, match="is being executed"):
                first.save_verdicts(run, [verdict()])
            assert second.count_verdicts(run) == 0


def test_a_server_that_stays_away_is_told(
    own_server: postgres.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    store = Store.open(own_server.new_database())
    own_server.stop("immediate")
    with pytest.raises(PolyAssayError, match=r"The store postgresql.* (went away|failed)"):
        store.runs()
    own_server.start()
    assert store.runs() == []


def test_a_run_survives_a_restart_of_the_server(
    own_server: postgres.Server, polyassay: PolyAssay, tmp_path: Path
) -> None:
    url = own_server.new_database()
    task: dict[str, Any] = {"id": "t", "language": "python", "style": "function", "entry": "f"}
    task |= {"tests": [{"name": "test_0", "code": "assert f() == 1"}], "prompts": {"en": "One"}}
    write_jsonl(tmp_path / "tasks.jsonl", [task])
    answers = [{"task": "t", "tool": "t", "sample": n, "answer": SLOW} for n in range(60)]
    write_jsonl(tmp_path / "answers.jsonl", answers)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")
    arguments = ("run", "-s", "s", "-c", "answers.jsonl", "-j", "2", "--store", url)
    running = subprocess.Popen(
        command(*arguments), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    engine = sa.create_engine(url)
    count = sa.text("SELECT count(*) FROM verdicts")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with engine.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            if "verdicts" in tables and connection.execute(count).scalar_one():
                break
        time.sleep(0.1)
    second = polyassay("run", "--resume", "latest", "--store", url)
    assert second.returncode == 2 and "is being executed by process" in second.stderr
    engine.dispose()
    own_server.stop("immediate")
    time.sleep(1)
    own_server.start()
    _, error = running.communicate(timeout=120)
    assert running.returncode == 0, error
    found = Store.open(url)
    assert found.count_verdicts(found.run("latest").id) == 60


@pytest.mark.parametrize(
    "form", ["postgresql://me:{}@127.0.0.1:1/db", "postgresql://{}@/db?host=/no"]
)
def test_a_password_is_never_printed(polyassay: PolyAssay, form: str) -> None:
    """Neither of a server that is not there nor in an address that is none."""
    for password in ("geheim", "ge%2Fheim", "ge/he@im", "ge he:im", "geheim?sslmode=nonsense"):
        secret = f"me:{password}" if "me:" not in form else password
        for address in (form.format(secret), form.format(secret).replace("postgresql", "nonsense")):
            for result in (
                polyassay("runs", "list", "--store", address),
                polyassay("runs", "list", POLYASSAY_STORE=address),
            ):
                assert result.returncode == 2
                assert "Traceback" not in result.stderr
                for part in ("geheim", "heim", "he@im"):
                    assert part not in result.stdout + result.stderr
