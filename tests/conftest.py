"""What several tests share."""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings

import real_parts
from polyassay.store import Store

# A busy machine is no failure, and no test passes by its draw: tools/fuzz looks for new examples.
settings.register_profile("without a clock", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    derandomize=False,
    max_examples=int(os.environ.get("POLYASSAY_FUZZ", "100")),
)
settings.load_profile("fuzz" if "POLYASSAY_FUZZ" in os.environ else "without a clock")


# Tests hold in a background as well, whose jobs ignore some signals, and so would all they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
for ignored in (signal.SIGQUIT, signal.SIGHUP):
    signal.signal(ignored, signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def _surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One Java image for all tests of all workers, and the width that a pipe has."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLYASSAY_CACHE", str(folder / "polyassay-cache"))
        patch.delenv("COLUMNS", raising=False)  # a parallel run sets it
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real files of the public suites, which are never part of this repository."""
    return real_parts.shared_data()


@pytest.fixture(scope="session")
def aixbench_checkout() -> Path:
    """A checkout of the AixBench repository, which is never part of this repository either."""
    return real_parts.aixbench_checkout()


@pytest.fixture(scope="session")
def java_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder in which Java's image and archives are made once for all tests."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """Where an empty store may be; tests/end_to_end has it on a server, too."""
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with closing(Store.open(store_url)) as opened:
        yield opened


@pytest.fixture(autouse=True, scope="module")
def _close_what_is_left() -> Iterator[None]:
    """What tests leave open, stores and pipes, is closed when Python frees it: here at the latest.

    A process that runs thousands of tests would run out of descriptors otherwise.
    """
    yield
    gc.collect()
