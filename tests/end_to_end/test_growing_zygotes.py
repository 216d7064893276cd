"""Zygotes grow by the libraries that they lack, and leave again what is too much."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.boxes import ask, function_request
from polyassay.environments.interpreters import Installed, Interpreter
from polyassay.harness.python import preload
from polyassay.harness.python.preload import ZygoteSpec
from polyassay.harness.python.zygote import Zygote, ZygotePool
from polyassay.sandbox import Ended
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.sandbox.guest import FrameGuest

PYTHON = Path(sys.executable).resolve()
NEEDS = frozenset({("netrc", "sched")})
INTERPRETER = Interpreter(
    PYTHON,
    (PYTHON.parent.parent,),
    standard=frozenset(),
    installed=lambda: Installed(needs=NEEDS),
)
SEEN = """
import sys

def seen():
    return sorted({"wave", "colorsys", "sched"} & set(sys.modules))
"""


@pytest.fixture
def pool() -> Iterator[ZygotePool]:
    opened = ZygotePool(Bubblewrap(), most=4)
    yield opened
    opened.close()


def loaded(pool: ZygotePool, *libraries: str) -> tuple[Zygote, list[str]]:
    """Which zygote it was, and what a candidate finds there without an import of its own."""
    names = ("wave", "colorsys", "sched")
    request = function_request(SEEN, "seen", [f"assert {name!r} in seen()" for name in names])
    with pool.borrow(ZygoteSpec(INTERPRETER, libraries, 256)) as zygote:
        results = ask(zygote, request)["results"]
    passed = [result["status"] == "passed" for result in results]
    return zygote, [name for name, found in zip(names, passed, strict=True) if found]


def test_one_zygote_serves_sets_of_libraries_that_include_each_other(pool: ZygotePool) -> None:
    first, found = loaded(pool)
    assert found == []
    for libraries in [("wave",), ("wave", "colorsys"), ("colorsys",), (), ("wave",)]:
        assert loaded(pool, *libraries) == (first, list(libraries))


def test_a_library_includes_what_it_requires(pool: ZygotePool) -> None:
    first, _ = loaded(pool, "sched")
    again, found = loaded(pool, "netrc")
    assert again is first and found == ["sched"]


def test_one_that_has_too_much_does_not_serve(pool: ZygotePool) -> None:
    first, _ = loaded(pool, "wave")
    other, found = loaded(pool)
    assert other is not first and found == []


def test_one_that_dies_while_grown_is_replaced(pool: ZygotePool) -> None:
    loaded(pool)
    first, _ = loaded(pool, "wave")
    assert isinstance(first._guest, FrameGuest)
    first._guest._tree.kill()
    with pytest.raises(Ended):
        loaded(pool, "wave")
    again, found = loaded(pool, "wave")
    assert again is not first and found == ["wave"]


def test_kinds_share_a_part_that_takes_long(
    pool: ZygotePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preload, "SHARED_SLOW_IMPORTS", ("sched", "json.tool"))
    first, _ = loaded(pool, "json.tool", "netrc", "wave")
    other, found = loaded(pool, "colorsys", "json.tool", "netrc")
    assert other is first and found == ["colorsys", "sched"]
    assert [fork.libraries for fork in first._forks] == [
        ("sched",),
        ("json.tool", "sched"),
        ("colorsys", "json.tool", "netrc", "sched"),
    ]


def test_parts_of_a_package_share_its_import(pool: ZygotePool) -> None:
    first, _ = loaded(pool, "json.tool")
    assert [fork.libraries for fork in first._forks] == [("json",), ("json", "json.tool")]
    again, found = loaded(pool, "email.mime", "json.decoder", "wave")
    assert again is first and found == ["wave"]
    assert [fork.libraries for fork in first._forks] == [
        ("json",),
        ("email", "json", "wave"),
        ("email", "email.mime", "json", "json.decoder", "wave"),
    ]
