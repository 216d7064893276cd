"""A run that is exported without tests quotes none, and is read only where its suites are."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.cli.common import home
from polyassay.errors import PolyAssayError
from polyassay.model import Program, Test
from polyassay.store import Store
from polyassay.suites.registry import Registry

TESTS = tuple(Test(f"test_{n}", f"assert f() == 'SECRET{n}'") for n in range(2))
TASKS = [
    replace(make_task(f"t{n}", entry="f", reference="SECRET = 1"), tests=TESTS) for n in range(3)
]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(polyassay, list(arguments))


@pytest.fixture
def sent(store: Store, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    secret = Program("SECRET\n", code="SECRET = 1")
    verdicts = [
        *(
            make_verdict(f"t{n}", n, tool="finch", reason="SECRET", output="SECRET")
            for n in range(3)
        ),
        *(make_verdict(f"t{n}", 2, tool="reference", program=secret) for n in range(3)),
    ]
    make_run(store, TASKS, verdicts)
    file = tmp_path / "run.gz"
    done = call(
        *("runs", "export", "latest", str(file), "--without", "tests,references"),
        *("--store", store_url),
    )
    assert done.exit_code == 0, done.exception
    return file


def test_nothing_in_the_file_is_of_a_test_or_a_reference(sent: Path) -> None:
    text = gzip.decompress(sent.read_bytes())
    assert b"SECRET" not in text and b"assert" not in text
    assert b"finch" in text and b'"reference"' not in text


def test_it_is_read_where_its_suites_are_and_scored_alike(
    sent: Path, store: Store, store_url: str, tmp_path: Path
) -> None:
    other = f"sqlite:///{tmp_path / 'other.sqlite'}"
    refused = call("runs", "import", str(sent), "--store", other)
    assert isinstance(refused.exception, PolyAssayError)
    assert "has no tests, and s (" in refused.exception.problem
    assert Store.open(other).runs() == []
    (suite,) = store.suites(store.run("latest")).values()
    Registry(home()).add(suite)
    told = call("runs", "import", str(sent), "--store", other)
    assert "It came without tests and references: those of the suites here" in told.stdout
    assert "here already" in call("runs", "import", str(sent), "--store", other).stdout
    there = Store.open(other)
    run = there.run("latest")
    assert run.provenance["without"] == ["tests", "references"]
    assert there.suites(run)["s"].tasks[0].tests == TESTS
    figures = []
    for url in (store_url, other):
        groups = json.loads(call("score", "latest", "--json", "--store", url).stdout)["tools"]
        figures.append({name: groups["finch"][name] for name in ("pass@1", "avg_pass_ratio")})
    assert figures[0] == figures[1]


def test_only_what_can_be_left_out_is(sent: Path, store_url: str) -> None:
    refused = call("runs", "export", "latest", "x.gz", "--without", "answers", "--store", store_url)
    assert isinstance(refused.exception, PolyAssayError)
    assert 'cannot be exported without "answers"' in refused.exception.problem
