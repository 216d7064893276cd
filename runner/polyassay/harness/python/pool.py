"""The zygotes of one slot.

Growing them instead of starting another for each set of libraries is a performance trick. Gain,
by `tools/bench-python --without growth`: half of the CPU time of ODEX at two samples (standard
error 5 %).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python.preload import SHARED_SLOW_IMPORTS, brought, packages, parents
from polyassay.harness.python.zygote import Zygote
from polyassay.sandbox import Sandbox
from polyassay_harness.switches import on


class ZygoteSpec(NamedTuple):
    """Zygotes of one spec can stand in for each other."""

    interpreter: Interpreter
    libraries: tuple[str, ...]
    memory_mb: int
    judge: bool = False

    @property
    def family(self) -> "ZygoteSpec":
        """The spec without the modules that are quickly imported.

        numpy and numpy.linalg are of one family, so a zygote of the one soon is one of the other;
        pandas, which imports slowly, makes another. Judges import nothing later.
        """
        if self.judge:
            return self
        slow = self.imported().intersection(SHARED_SLOW_IMPORTS)
        return self._replace(libraries=tuple(sorted(slow | packages(self.libraries))))

    def includes(self, libraries: Iterable[str]) -> bool:
        """Whether all of these are imported with its own."""
        return self.imported().issuperset(libraries)

    def imported(self) -> set[str]:
        named = parents(self.libraries).union(self.libraries)
        return brought(self.libraries, self.interpreter) | named

    def stages(self) -> Iterator[set[str]]:
        """What to import one after the other, so that other specs can go on in between."""
        imported = self.imported()
        yield from ({name} for name in SHARED_SLOW_IMPORTS if name in imported)
        yield packages(self.libraries)
        yield set(self.libraries)


def in_order(specs: Collection[ZygoteSpec]) -> list[ZygoteSpec]:
    """As zygotes best grow into one after the other: along the branches of a tree of packages.

    Next to the root is what most specs have. A spec comes after those that it goes on from, and
    next to those that go on from the same; but whoever has more of the slow imports comes first,
    so that what is left at the end for other slots to help with is quickly imported.
    """
    named = {name for spec in specs for name in packages(spec.libraries)}
    imported = {spec: spec.imported() for spec in specs}
    common = Counter(name for names in imported.values() for name in named & names)
    names = sorted(common, key=lambda name: (-common[name], name))
    rank = {name: number for number, name in enumerate(names)}

    def place(spec: ZygoteSpec) -> tuple[list[bool], list[int], int]:
        lacks = [name not in imported[spec] for name in SHARED_SLOW_IMPORTS]
        return lacks, sorted(rank[name] for name in named & imported[spec]), len(spec.libraries)

    return sorted(specs, key=place)


class ZygotePool:
    """Starts zygotes and keeps those that can serve again. Used by one thread.

    Where one is idle that has some of the libraries and none besides, it grows by the others.
    """

    def __init__(self, sandbox: Sandbox, most: int, shake: int = 0) -> None:
        self._sandbox = sandbox
        self._shake = shake  # see RunSettings
        self._most = most  # idle ones that are kept
        self._idle: list[tuple[ZygoteSpec, Zygote]] = []  # the one that was used last is the last

    @contextmanager
    def borrow(self, spec: ZygoteSpec, *, fresh: bool = False) -> Iterator[Zygote]:
        """A zygote for some candidates; where that ends in an exception, so does the zygote."""
        zygote = self._ready(spec, None if fresh else self._take(spec))
        usable = False
        try:
            yield zygote
            usable = zygote.reusable
        finally:
            if usable:
                self._keep(spec, zygote)
            else:
                zygote.close()

    def close(self) -> None:
        idle, self._idle = self._idle, []
        for _, zygote in idle:
            zygote.close()

    def _take(self, spec: ZygoteSpec) -> Zygote | None:
        """An idle one that serves as it is, or that can grow."""
        found = self._alike(spec) or self._related(spec)
        self._idle = [(k, idle) for k, idle in self._idle if idle is not found]
        return found

    def _alike(self, spec: ZygoteSpec) -> Zygote | None:
        """An idle one of that very spec, or of its family."""
        family = spec.family
        alike = [
            (k == spec, place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if k == spec or (zygote.grows and k.family == family)
        ]
        return max(alike, default=(False, 0, None), key=lambda found: found[:2])[2]

    def _related(self, spec: ZygoteSpec) -> Zygote | None:
        """The idle one that has most of what is wanted."""
        alike = (spec.interpreter, spec.memory_mb, spec.judge)
        related = [
            (zygote.seconds_within(spec.includes), place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if zygote.grows and (k.interpreter, k.memory_mb, k.judge) == alike
        ]
        saved, _, zygote = max(related, default=(0.0, 0, None), key=lambda found: found[:2])
        return zygote if saved else None

    def _ready(self, spec: ZygoteSpec, zygote: Zygote | None) -> Zygote:
        """Starts one where none was found, and has it import what it lacks."""
        if zygote is None:
            interpreter, libraries, memory_mb, judge = spec
            grows = self._sandbox.nests and not judge and on("growth")
            first = tuple(sorted(next(spec.stages()))) if grows else libraries
            zygote = Zygote(
                *(self._sandbox, interpreter, first, memory_mb), judge=judge, shake=self._shake
            )
        try:
            if zygote.grows:
                zygote.grow(spec.stages(), spec.includes)
        except BaseException:
            zygote.close()
            raise
        return zygote

    def _keep(self, spec: ZygoteSpec, zygote: Zygote) -> None:
        self._idle.append((spec, zygote))
        if len(self._idle) > self._most:
            self._idle.pop(0)[1].close()
