"""What was measured about a suite's tests, kept by the suite's checksum for later scores."""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyassay.trust.checks import Check
from polyassay.trust.flakes import Flake, FlakeCheck
from polyassay.trust.mutation import MutationCheck, TaskMutants


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is known of one suite; None and empty: it was never asked."""

    check: Check | None = None
    flakes: FlakeCheck | None = None
    mutants: tuple[MutationCheck, ...] = ()  # one a seed and number, the newest last

    @property
    def best_mutants(self) -> MutationCheck | None:
        """The measurement with the most mutants; of equal ones the newest."""
        return max(reversed(self.mutants), key=lambda found: found.of, default=None)

    @property
    def weak(self) -> frozenset[str]:
        """Tasks that an empty answer passes, or whose tests catch little."""
        by_mutants = self.best_mutants.weak if self.best_mutants else ()
        return frozenset((*(self.check.weak if self.check else ()), *by_mutants))


def keep(home: Path, checksum: str, found: Check | FlakeCheck | MutationCheck) -> None:
    """In place of an older one; of mutants, of one with the same seed and number."""
    match found:
        case Check():
            _write(_place(home, checksum, ""), dataclasses.asdict(found))
        case FlakeCheck():
            _write(_place(home, checksum, ".flakes"), dataclasses.asdict(found))
        case MutationCheck():
            others = [
                each
                for each in kept(home, checksum).mutants
                if (each.seed, each.asked) != (found.seed, found.asked)
            ]
            told = [dataclasses.asdict(each) for each in (*others, found)]
            _write(_place(home, checksum, ".mutants"), told)


def kept(home: Path, checksum: str) -> Kept:
    """What `suites check` found for this very suite, as far as it was asked."""
    check = _read(_place(home, checksum, ""))
    flakes = _read(_place(home, checksum, ".flakes"))
    mutants = _read(_place(home, checksum, ".mutants"))
    return Kept(
        Check(**check | {name: tuple(check[name]) for name in ("weak", "not_runnable")})
        if check
        else None,
        FlakeCheck(**flakes | {"flaky": _flaky(flakes["flaky"])}) if flakes else None,
        tuple(_mutants(mutants or [])),
    )


def _flaky(tasks: dict[str, Any]) -> dict[str, dict[str, Flake]]:
    return {
        task: {test: Flake(**found) for test, found in tests.items()}
        for task, tests in tasks.items()
    }


def _mutants(measured: list[dict[str, Any]]) -> Iterator[MutationCheck]:
    for fields in measured:
        tasks = {
            name: TaskMutants(**found | {"survivors": tuple(found["survivors"])})
            for name, found in fields["tasks"].items()
        }
        yield MutationCheck(**fields | {"tasks": tasks})


def _place(home: Path, checksum: str, what: str) -> Path:
    return home / "checks" / f"{checksum}{what}.json"


def _write(place: Path, value: Any) -> None:
    """Aside first, so that a reader never finds half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_suffix(".new")
    aside.write_text(json.dumps(value))
    aside.replace(place)


def _read(place: Path) -> Any:
    return json.loads(place.read_text()) if place.is_file() else None
