"""The zygotes of a run, which all of its slots borrow.

Growing them instead of starting another for each set of libraries is a performance trick. Gain,
by `tools/bench-python --without growth`: half of the CPU time of ODEX at two samples (standard
error 5 %).
"""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python.preload import SHARED_SLOW_IMPORTS, brought, packages, parents
from polyassay.harness.python.zygote import Zygote
from polyassay.sandbox import Sandbox
from polyassay_harness.switches import on

LONGEST_START = 60.0  # seconds


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
    """Starts a zygote when waiting for one has cost as much time as its start would.

    Importing some libraries takes a second, and judging with them a hundredth of that. So a slot
    waits for a zygote that another one uses, unless the waits add up to the time of a start.
    Where one is idle that has some of the libraries and none besides, it grows by the others.
    """

    def __init__(self, sandbox: Sandbox, most: int, shake: int = 0) -> None:
        self._sandbox = sandbox
        self._shake = shake  # see RunSettings
        self._most = most  # idle ones that are kept
        self._idle: list[tuple[ZygoteSpec, Zygote]] = []  # the one that was used last is the last
        # By families:
        self._used: Counter[ZygoteSpec] = Counter()
        self._start_seconds: dict[ZygoteSpec, float] = {}
        self._waited: defaultdict[ZygoteSpec, float] = defaultdict(float)
        self._changed = threading.Condition()

    @contextmanager
    def borrow(self, spec: ZygoteSpec, *, fresh: bool = False) -> Iterator[Zygote]:
        """A zygote for some candidates; where that ends in an exception, so does the zygote."""
        zygote = self._ready(spec, self._take(spec, fresh=fresh))
        usable = False
        try:
            yield zygote
            usable = zygote.reusable
        finally:
            self._give_back(spec, zygote, usable)

    def close(self) -> None:
        with self._changed:
            idle, self._idle = self._idle, []
        for _, zygote in idle:
            zygote.close()

    def _take(self, spec: ZygoteSpec, *, fresh: bool) -> Zygote | None:
        """One that is idle, or becomes so soon enough; or one to grow; or a place for another."""
        family = spec.family
        with self._changed:
            while True:
                if fresh or not (self._sandbox.nests or spec.judge):
                    return self._taken(spec, None)  # without nesting, none ever comes back
                idle = self._alike(spec)
                if idle:
                    return self._taken(spec, idle)
                known = family in self._start_seconds  # or the first is still about to start
                patience = self._start_seconds.get(family, LONGEST_START) - self._waited[family]
                if not self._used[family] or patience <= 0:
                    self._waited[family] = 0.0
                    return self._taken(spec, self._related(spec))
                began = time.monotonic()
                self._changed.wait(patience)
                if known:
                    self._waited[family] += time.monotonic() - began

    def _taken(self, spec: ZygoteSpec, zygote: Zygote | None) -> Zygote | None:
        self._used[spec.family] += 1
        self._idle = [(k, idle) for k, idle in self._idle if idle is not zygote]
        return zygote

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
        try:
            if zygote is None:
                interpreter, libraries, memory_mb, judge = spec
                grows = self._sandbox.nests and not judge and on("growth")
                first = tuple(sorted(next(spec.stages()))) if grows else libraries
                zygote = Zygote(
                    *(self._sandbox, interpreter, first, memory_mb), judge=judge, shake=self._shake
                )
            if zygote.grows:
                zygote.grow(spec.stages(), spec.includes)
            with self._changed:
                self._start_seconds[spec.family] = zygote.seconds
                self._changed.notify_all()  # who waits knows now for how long
            return zygote
        except BaseException:
            if zygote:
                zygote.close()
            self._start_seconds.setdefault(spec.family, 0.0)
            self._leave(spec)
            raise

    def _give_back(self, spec: ZygoteSpec, zygote: Zygote, usable: bool) -> None:
        if not usable:
            zygote.close()
            self._leave(spec)
            return
        with self._changed:
            self._idle.append((spec, zygote))
            oldest = self._idle.pop(0)[1] if len(self._idle) > self._most else None
        self._leave(spec)
        if oldest:
            oldest.close()

    def _leave(self, spec: ZygoteSpec) -> None:
        with self._changed:
            self._used[spec.family] -= 1
            self._changed.notify_all()
