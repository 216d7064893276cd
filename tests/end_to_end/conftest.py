"""The real command line, in a folder of its own, and the real sandbox."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import postgres
from command_line import PolyAssay, command, environment
from polyassay.harness import HarnessSession, RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.harness.java.jdk import find_jars
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.model import Judging
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.sandbox.choose import find
from real_parts import given, need
from report_pages import FLAGS


@pytest.fixture
def polyassay(tmp_path: Path) -> PolyAssay:
    """Runs `polyassay …` in an empty folder and gives back what it said."""

    def call(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*arguments),
            cwd=tmp_path,
            env=environment(**more),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    return call


@pytest.fixture(scope="module")
def sandbox() -> Bubblewrap:
    with given("bubblewrap"):
        found = find("bubblewrap")
    assert isinstance(found, Bubblewrap)
    return found


@pytest.fixture(scope="module", params=[None, Judging.TOGETHER], ids=["apart", "together"])
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PythonSession]:
    """A session that judges Python as tasks allow, and one that judges together."""
    home = tmp_path_factory.mktemp("home")
    harness = PythonHarness(RunSettings(Bubblewrap(), home, judge=request.param))
    yield harness.open()
    harness.close()


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonSession]:
    """A session that judges Python as tasks allow."""
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path_factory.mktemp("home")))
    yield harness.open()
    harness.close()


@pytest.fixture(scope="module")
def java_session(java_home: Path) -> Iterator[HarnessSession]:
    """A session that judges Java as tasks allow."""
    with given("java"):
        find_jars()
    harness = JavaHarness(RunSettings(find(), java_home))
    session = harness.open()
    yield session
    session.close()
    harness.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    path = need("chromium")
    with sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    with postgres.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def either_store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The address of an empty store, once in a file and once on a server; commands use it."""
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    if request.param == "postgresql":
        server: postgres.Server = request.getfixturevalue("postgres_server")
        url = server.new_database()
    monkeypatch.setenv("POLYASSAY_STORE", url)
    return url
