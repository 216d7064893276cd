"""Zygotes, warm interpreters in sandboxes; and the pool that one slot has of them.

Growing zygotes instead of starting another for each set of libraries is a performance trick. Gain,
by `tools/bench-python --without growth`: half of the CPU time of ODEX at two samples (standard
error 5 %).
"""

import base64
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python.placement import harness_folder
from polyassay.harness.python.preload import ZygoteSpec, parents
from polyassay.sandbox import Box, BoxLimits, Ended, Sandbox
from polyassay.sandbox.linux import seccomp
from polyassay.sandbox.patience import Patience
from polyassay_harness import switches
from polyassay_harness.process.time_rule import USED_UP, WALL_FACTOR
from polyassay_harness.wire import messages

HARNESS = harness_folder()
START = (
    "import sys; sys.path[0] = sys.argv[1]; from polyassay_harness.start import load_part; "
    "load_part({part!r}).main(sys.argv[2:])"
)
# Fixed, so that a verdict does not depend on whose machine it is.
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "COLUMNS": "80",
}
_START_SECONDS = 120.0
_SEND_SECONDS = 30.0
# The zygote's libraries, twice where it has grown, its supervisor, and what several processes hold.
_OVERHEAD_MB = 768
GRACE_SECONDS = 10.0  # beyond a candidate's own end, before the whole zygote is ended
_LEAST_SPARE_SECONDS = 2.0  # of CPU time, for what a zygote itself does for a candidate


def patience(total_seconds: float, spare: float = GRACE_SECONDS) -> Patience:
    """How long a candidate is waited for; its processes keep the CPU time themselves."""
    return Patience(WALL_FACTOR * total_seconds + spare)


class GrownFork(NamedTuple):
    """A fork of a zygote that has imported more, and serves in its place; or the zygote itself."""

    libraries: tuple[str, ...]
    seconds: float  # that its start took


Includes = Callable[[tuple[str, ...]], bool]


class Zygote:
    """Raises Ended where it had to be given up; then nothing of it is left."""

    def __init__(
        self,
        sandbox: Sandbox,
        interpreter: Interpreter,
        libraries: tuple[str, ...] = (),
        memory_mb: int = 1024,
        *,
        judge: bool = False,  # runs tests, and forks without more ado: no candidate is near
        shake: int = 0,
    ) -> None:
        nests = sandbox.nests and not judge
        start = START.format(part="judge" if judge else "zygote")
        arguments = () if judge else ("nests" if nests else "single", *_filters())
        executable = str(interpreter.executable)
        command = (executable, "-s", "-S") if interpreter.bare else (executable, "-s")
        box = Box(
            argv=(*command, "-c", start, str(HARNESS), *arguments, *libraries),
            readable=(*interpreter.readable, HARNESS / "polyassay_harness"),
            environment=_environment(shake),
            fixed_layout=not shake,
            limits=BoxLimits(memory_mb=memory_mb + _OVERHEAD_MB),
            nests=nests,
        )
        began = time.monotonic()
        self._executable = executable
        self._judge, self._memory_mb = judge, memory_mb
        self._guest = sandbox.start(box)
        self._wait_until_ready()
        self.reusable = nests or judge
        self.grows = nests and switches.on("growth")
        self._forks = [GrownFork(libraries, time.monotonic() - began)]
        self._total_seconds: float | None = None
        self._cpu_before: float | None = None  # at the first look at a candidate that takes long

    @property
    def seconds(self) -> float:
        """How long the start of another zygote like this would take."""
        return sum(fork.seconds for fork in self._forks)

    def grow(self, steps: Iterable[set[str]], includes: Includes) -> None:
        """Imports what is wanted, in steps; each is imported by a fork, which serves from then on.

        Forks that have imported anything else end first.
        """
        while not includes(self._forks[-1].libraries):
            self.tell(messages.LEAVE)
            self._forks.pop()
        for step in steps:
            self._add(step - parents(self._forks[-1].libraries))

    def _add(self, libraries: Iterable[str]) -> None:
        """Has another fork import these, where they are not imported yet."""
        present = self._forks[-1].libraries
        wanted = tuple(sorted({*present, *libraries}))
        if wanted != present:
            began = time.monotonic()
            self.tell(messages.GROW, {"libraries": wanted})
            self._wait_until_ready()
            self._forks.append(GrownFork(wanted, time.monotonic() - began))

    def seconds_saved(self, includes: Includes) -> float:
        """How long another zygote would take to import what this one keeps when it grows."""
        return sum(fork.seconds for fork in self._forks if includes(fork.libraries))

    def _wait_until_ready(self) -> None:
        try:
            self._guest.receive(_START_SECONDS)
            self.allow_memory()
        except Ended as ended:  # no candidate has been near it yet
            why = f"{self._executable} did not start: it {ended}. {self._guest.stderr()}"
            raise RuntimeError(why) from None

    def allow_memory(self) -> None:
        """Gives the next candidate its memory beyond what this process holds at present."""
        if not self._judge:
            self._guest.allow_memory(self._memory_mb)

    def limit_cpu(self, total_seconds: float | None) -> None:
        """Bounds the CPU time until the next candidate, as it is seen from outside.

        The candidate's supervisor keeps to its limits. It cannot see what processes used that
        ended between two looks while nobody waited for them; a control group can.
        """
        self._total_seconds, self._cpu_before = total_seconds, None

    def tell(self, name: str, body: messages.Body = b"", payload: bytes | None = None) -> None:
        """Sends a message, and after it the payload of one that has any."""
        self._guest.send(messages.pack(name, body), _SEND_SECONDS)
        if payload is not None:
            self._guest.send(payload, _SEND_SECONDS)

    def hear(self, within: float | Patience) -> tuple[str, bytes]:
        """The name and the body of the next message."""
        return messages.unpack(self.hear_payload(within))

    def hear_payload(self, within: float | Patience) -> bytes:
        return self._guest.receive(within, self._mind_cpu)

    def _mind_cpu(self) -> None:
        if self._total_seconds is None:
            return
        used = self._guest.cpu_seconds()
        if self._cpu_before is None:
            self._cpu_before = used
        spare = max(_LEAST_SPARE_SECONDS, self._total_seconds / 4)
        if used - self._cpu_before > self._total_seconds + spare:
            raise Ended(USED_UP, timed_out=True)

    def close(self) -> None:
        self._guest.close()


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
        found = self._ready_to_serve(spec) or self._best_to_grow(spec)
        self._idle = [(k, idle) for k, idle in self._idle if idle is not found]
        return found

    def _ready_to_serve(self, spec: ZygoteSpec) -> Zygote | None:
        """An idle one of that very spec, or one that lacks quick imports only."""
        slow = spec.without_quick_imports
        found = [
            (k == spec, place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if k == spec or (zygote.grows and k.without_quick_imports == slow)
        ]
        return max(found, default=(False, 0, None), key=lambda one: one[:2])[2]

    def _best_to_grow(self, spec: ZygoteSpec) -> Zygote | None:
        """The idle one that would save most of the time which the wanted imports take."""
        alike = (spec.interpreter, spec.memory_mb, spec.judge)
        found = [
            (zygote.seconds_saved(spec.includes), place, zygote)
            for place, (k, zygote) in enumerate(self._idle)
            if zygote.grows and (k.interpreter, k.memory_mb, k.judge) == alike
        ]
        saved, _, zygote = max(found, default=(0.0, 0, None), key=lambda one: one[:2])
        return zygote if saved else None

    def _ready(self, spec: ZygoteSpec, zygote: Zygote | None) -> Zygote:
        """Starts one where none was found, and has it import what it lacks."""
        if zygote is None:
            interpreter, libraries, memory_mb, judge = spec
            grows = self._sandbox.nests and not judge and switches.on("growth")
            first = tuple(sorted(next(spec.import_steps()))) if grows else libraries
            zygote = Zygote(
                *(self._sandbox, interpreter, first, memory_mb), judge=judge, shake=self._shake
            )
        try:
            if zygote.grows:
                zygote.grow(spec.import_steps(), spec.includes)
        except BaseException:
            zygote.close()
            raise
        return zygote

    def _keep(self, spec: ZygoteSpec, zygote: Zygote) -> None:
        self._idle.append((spec, zygote))
        if len(self._idle) > self._most:
            self._idle.pop(0)[1].close()


def parsed(body: bytes) -> dict[str, Any]:
    """A body of ours; of a supervisor's, at least the frame is whole."""
    found = json.loads(body)
    assert isinstance(found, dict)
    return found


def _environment(shake: int) -> dict[str, str]:
    off = os.environ.get(switches.VARIABLE)
    more = {switches.VARIABLE: off} if off else {}
    return {**ENVIRONMENT, "PYTHONHASHSEED": str(shake), **more}


def _filters() -> tuple[str, str]:
    """The filters for candidates in base 64: for any process, and for the first of a namespace."""
    programs = [
        seccomp.program_of_child(first=first) if seccomp.supported() else b""
        for first in (False, True)
    ]
    usual, of_first = (base64.b64encode(code).decode() for code in programs)
    return usual, of_first
