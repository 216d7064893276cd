"""The zygotes of a run, which its slots lend each other."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python.preload import TRUNK, brought, packages, parents
from polyassay.harness.python.zygote import Zygote
from polyassay.sandbox import Sandbox

LONGEST_START = 60.0  # seconds


class Kind(NamedTuple):
    """Zygotes of one kind can stand in for each other."""

    interpreter: Interpreter
    libraries: tuple[str, ...]
    memory_mb: int
    judge: bool = False

    @property
    def family(self) -> "Kind":
        """Kinds that differ in short parts turn into each other in no time, but for judges."""
        if self.judge:
            return self
        trunk = self.imported().intersection(TRUNK)
        return self._replace(libraries=tuple(sorted(trunk | packages(self.libraries))))

    def includes(self, libraries: Iterable[str]) -> bool:
        """Whether all of these are imported with its own."""
        return self.imported().issuperset(libraries)

    def imported(self) -> set[str]:
        named = parents(self.libraries).union(self.libraries)
        return brought(self.libraries, self.interpreter) | named

    def stages(self) -> Iterator[set[str]]:
        """What to import one after the other, so that other kinds can go on in between."""
        imported = self.imported()
        yield from ({name} for name in TRUNK if name in imported)
        yield packages(self.libraries)
        yield set(self.libraries)


def in_order(kinds: Collection[Kind]) -> list[Kind]:
    """As zygotes best grow into one after the other: along the branches of a tree of packages.

    Next to the root is what most kinds have. A kind comes after those that it goes on from, and
    next to those that go on from the same; but whoever has more of the trunk comes first, so that
    what is left at the end for other slots to help with is quickly imported.
    """
    named = {name for kind in kinds for name in packages(kind.libraries)}
    imported = {kind: kind.imported() for kind in kinds}
    common = Counter(name for names in imported.values() for name in named & names)
    names = sorted(common, key=lambda name: (-common[name], name))
    rank = {name: number for number, name in enumerate(names)}

    def place(kind: Kind) -> tuple[list[bool], list[int], int]:
        lacks = [name not in imported[kind] for name in TRUNK]
        return lacks, sorted(rank[name] for name in named & imported[kind]), len(kind.libraries)

    return sorted(kinds, key=place)


class ZygotePool:
    """Starts a zygote when waiting for one has cost as much time as its start would.

    Importing some libraries takes a second, and judging with them a hundredth of that. So a slot
    waits for a zygote that another one uses, unless the waits add up to the time of a start.
    Where one is idle that has some of the libraries and none besides, it grows by the others.
    """

    def __init__(self, sandbox: Sandbox, most: int) -> None:
        self._sandbox = sandbox
        self._most = most  # idle ones that are kept
        self._idle: list[tuple[Kind, Zygote]] = []  # the one that was used last is the last
        # By families:
        self._used: Counter[Kind] = Counter()
        self._start_seconds: dict[Kind, float] = {}
        self._waited: defaultdict[Kind, float] = defaultdict(float)
        self._changed = threading.Condition()

    @contextmanager
    def lent(self, kind: Kind, *, fresh: bool = False) -> Iterator[Zygote]:
        """A zygote for some candidates; where that ends in an exception, so does the zygote."""
        zygote = self._ready(kind, self._take(kind, fresh=fresh))
        usable = False
        try:
            yield zygote
            usable = zygote.reusable
        finally:
            self._give_back(kind, zygote, usable)

    def close(self) -> None:
        with self._changed:
            idle, self._idle = self._idle, []
        for _, zygote in idle:
            zygote.close()

    def _take(self, kind: Kind, *, fresh: bool) -> Zygote | None:
        """One that is idle, or becomes so soon enough; or one to grow; or a place for another."""
        family = kind.family
        with self._changed:
            while True:
                if fresh or not (self._sandbox.nests or kind.judge):
                    return self._taken(kind, None)  # without nesting, none ever comes back
                idle = self._alike(kind)
                if idle:
                    return self._taken(kind, idle)
                known = family in self._start_seconds  # or the first is still about to start
                patience = self._start_seconds.get(family, LONGEST_START) - self._waited[family]
                if not self._used[family] or patience <= 0:
                    self._waited[family] = 0.0
                    return self._taken(kind, self._related(kind))
                began = time.monotonic()
                self._changed.wait(patience)
                if known:
                    self._waited[family] += time.monotonic() - began

    def _taken(self, kind: Kind, zygote: Zygote | None) -> Zygote | None:
        self._used[kind.family] += 1
        self._idle = [(k, idle) for k, idle in self._idle if idle is not zygote]
        return zygote

    def _alike(self, kind: Kind) -> Zygote | None:
        """An idle one of that very kind, or of its family."""
        family = kind.family
        alike = [
            (k == kind, place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if k == kind or (zygote.grows and k.family == family)
        ]
        return max(alike, default=(False, 0, None), key=lambda found: found[:2])[2]

    def _related(self, kind: Kind) -> Zygote | None:
        """The idle one that has most of what is wanted."""
        alike = (kind.interpreter, kind.memory_mb, kind.judge)
        related = [
            (zygote.seconds_within(kind.includes), place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if zygote.grows and (k.interpreter, k.memory_mb, k.judge) == alike
        ]
        saved, _, zygote = max(related, default=(0.0, 0, None), key=lambda found: found[:2])
        return zygote if saved else None

    def _ready(self, kind: Kind, zygote: Zygote | None) -> Zygote:
        try:
            if zygote is None:
                interpreter, libraries, memory_mb, judge = kind
                grows = self._sandbox.nests and not judge
                first = tuple(sorted(next(kind.stages()))) if grows else libraries
                zygote = Zygote(self._sandbox, interpreter, first, memory_mb, judge=judge)
            if zygote.grows:
                zygote.grow(kind.stages(), kind.includes)
            with self._changed:
                self._start_seconds[kind.family] = zygote.seconds
                self._changed.notify_all()  # who waits knows now for how long
            return zygote
        except BaseException:
            if zygote:
                zygote.close()
            self._start_seconds.setdefault(kind.family, 0.0)
            self._leave(kind)
            raise

    def _give_back(self, kind: Kind, zygote: Zygote, usable: bool) -> None:
        if not usable:
            zygote.close()
            self._leave(kind)
            return
        with self._changed:
            self._idle.append((kind, zygote))
            oldest = self._idle.pop(0)[1] if len(self._idle) > self._most else None
        self._leave(kind)
        if oldest:
            oldest.close()

    def _leave(self, kind: Kind) -> None:
        with self._changed:
            self._used[kind.family] -= 1
            self._changed.notify_all()
