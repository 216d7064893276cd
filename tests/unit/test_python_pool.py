"""A slot keeps the zygotes that it used last, and lets them grow."""

import sys
from pathlib import Path

import pytest

from polyassay.environments.interpreters import Installed, Interpreter
from polyassay.harness.python import zygote as python_zygote
from polyassay.harness.python.preload import ZygoteSpec, in_growing_order
from polyassay.harness.python.zygote import ZygotePool
from polyassay.sandbox.none import NoSandbox

INTERPRETER = Interpreter(Path(sys.executable), ())


class Nesting(NoSandbox):
    nests = True


class Zygote:
    """Costs nothing; what real ones do is tested where candidates are judged."""

    started: list["Zygote"]
    reusable = True
    grows = False
    seconds = 0.0

    def __init__(self, *_: object, **__: object) -> None:
        self.closed = False
        self.started.append(self)

    def grow(self, *_: object) -> None:
        """It has all that is wanted."""

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> ZygotePool:
    Zygote.started = []
    monkeypatch.setattr(python_zygote, "Zygote", Zygote)
    return ZygotePool(Nesting(), most=2)


def kind(*libraries: str) -> ZygoteSpec:
    return ZygoteSpec(INTERPRETER, libraries, 256)


def test_an_idle_one_is_used_again(pool: ZygotePool) -> None:
    for _ in range(3):
        with pool.borrow(kind("numpy")):
            pass
    assert len(Zygote.started) == 1


def test_of_many_those_that_were_used_last_are_kept(pool: ZygotePool) -> None:
    for library in ("a", "b", "a", "c"):
        with pool.borrow(kind(library)):
            pass
    assert [zygote.closed for zygote in Zygote.started] == [False, True, False]


def test_one_in_whose_use_something_went_wrong_is_closed(pool: ZygotePool) -> None:
    with pytest.raises(RuntimeError), pool.borrow(kind()):
        raise RuntimeError
    with pool.borrow(kind()):
        pass
    assert [zygote.closed for zygote in Zygote.started] == [True, False]


def test_a_fresh_one_is_started_beside_idle_ones(pool: ZygotePool) -> None:
    with pool.borrow(kind()) as first:
        pass
    with pool.borrow(kind(), fresh=True) as second:
        assert second is not first


def test_one_that_serves_one_candidate_only_is_not_kept(pool: ZygotePool) -> None:
    with pool.borrow(kind()) as zygote:
        zygote.reusable = False
    assert [one.closed for one in Zygote.started] == [True]


def test_one_that_cannot_grow_is_closed(pool: ZygotePool, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(*_: object) -> None:
        raise RuntimeError("no such library")

    monkeypatch.setattr(Zygote, "grows", True)
    monkeypatch.setattr(Zygote, "grow", break_off)
    with pytest.raises(RuntimeError, match="no such library"), pool.borrow(kind("numpy")):
        pass
    assert [zygote.closed for zygote in Zygote.started] == [True]


def test_all_that_are_idle_are_closed_with_the_pool(pool: ZygotePool) -> None:
    for library in ("a", "b"):
        with pool.borrow(kind(library)):
            pass
    pool.close()
    assert [zygote.closed for zygote in Zygote.started] == [True, True]


def test_judges_are_their_own_families() -> None:
    """They do not grow, so that one of another kind does not serve."""
    kind = ZygoteSpec(INTERPRETER, ("json.tool",), 256)
    assert kind.without_quick_imports == ZygoteSpec(INTERPRETER, ("json",), 256)
    judge = kind._replace(judge=True)
    assert judge.without_quick_imports == judge


def test_kinds_come_along_the_branches_of_a_tree() -> None:
    sets = ["", "n", "n p", "n p s", "n p q", "n m", "n m s", "o", "n o"]
    kinds = [ZygoteSpec(INTERPRETER, tuple(names.split()), 256) for names in sets]
    ordered = in_growing_order(kinds[::-1])
    assert ordered == in_growing_order(kinds)
    assert [" ".join(kind.libraries) for kind in ordered] == [
        "",
        *("n", "n p", "n p s", "n p q"),
        *("n m", "n m s", "n o"),
        "o",
    ]


def test_what_a_library_brings_along_counts_as_its_root() -> None:
    needs = frozenset({("p", "n"), ("q", "n")})
    installed = Installed(frozenset("npq"), frozenset(), needs)
    interpreter = Interpreter(Path(sys.executable), (), installed=lambda: installed)
    kinds = [ZygoteSpec(interpreter, tuple(names), 256) for names in ("q", "p", "np", "n", "o")]
    ordered = ["".join(kind.libraries) for kind in in_growing_order(kinds)]
    assert ordered == ["n", "p", "np", "q", "o"]


def test_whoever_has_more_of_the_trunk_comes_first() -> None:
    sets = [
        *("numpy scipy.stats matplotlib.pyplot", "numpy scipy.stats", "numpy matplotlib.pyplot"),
        *("numpy", "numpy pandas", "o"),
    ]
    kinds = [ZygoteSpec(INTERPRETER, tuple(names.split()), 256) for names in sets]
    assert [" ".join(kind.libraries) for kind in in_growing_order(kinds[::-1])] == sets


def test_parts_that_take_long_are_stages_and_families_of_their_own() -> None:
    parts = ("matplotlib.pyplot", "numpy.random", "scipy.signal", "scipy.stats")
    assert list(kind(*parts).import_steps()) == [
        *({"numpy"}, {"scipy.stats"}, {"matplotlib.pyplot"}),
        *({"matplotlib", "numpy", "scipy"}, set(parts)),
    ]
    assert list(kind().import_steps()) == [set(), set()]
    assert (
        kind("scipy.stats").without_quick_imports == kind("scipy.stats.norm").without_quick_imports
    )
    assert (
        kind("scipy.stats").without_quick_imports
        != kind("scipy.signal").without_quick_imports
        == kind("scipy.fft").without_quick_imports
    )
