"""A warm interpreter in a sandbox, which judges one candidate after the other."""

import base64
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polyassay_harness
from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python.preload import parents
from polyassay.model import Program
from polyassay.sandbox import Box, BoxLimits, Ended, Sandbox
from polyassay.sandbox.linux import seccomp

HARNESS = Path(polyassay_harness.__file__).resolve().parent.parent
# The harness' folder is not on the path while candidates run, lest they import it by accident.
_START = (
    "import sys; sys.path[0] = sys.argv[1]; from polyassay_harness import bare; bare.complete(); "
    "from polyassay_harness import {part}; del sys.path[0]; {part}.main(sys.argv[2:])"
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
GRACE_SECONDS = 10.0  # beyond a candidate's own deadline, before the whole zygote is ended


class Level(NamedTuple):
    """Forks of a zygote that have imported more serve in its place, and forks of theirs."""

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
    ) -> None:
        nests = sandbox.nests and not judge
        start = _START.format(part="judge" if judge else "zygote")
        arguments = () if judge else ("nests" if nests else "single", *_filters())
        executable = str(interpreter.executable)
        command = (executable, "-s", "-S") if interpreter.bare else (executable, "-s")
        box = Box(
            argv=(*command, "-c", start, str(HARNESS), *arguments, *libraries),
            readable=(*interpreter.readable, HARNESS / "polyassay_harness"),
            environment=ENVIRONMENT,
            limits=BoxLimits(memory_mb=memory_mb + _OVERHEAD_MB),
            nests=nests,
        )
        began = time.monotonic()
        self._executable = executable
        self._guest = sandbox.start(box)
        self._wait_until_ready()
        self.reusable = nests or judge
        self.grows = nests
        self._levels = [Level(libraries, time.monotonic() - began)]

    @property
    def seconds(self) -> float:
        """What it would take to start another one like this."""
        return sum(level.seconds for level in self._levels)

    def grow(self, stages: Iterable[set[str]], includes: Includes) -> None:
        """Goes back to where nothing is too much; from there on, each stage is a level."""
        while not includes(self._levels[-1].libraries):
            self.tell({"style": "leave"})
            self._levels.pop()
        for stage in stages:
            self._add(stage - parents(self._levels[-1].libraries))

    def _add(self, libraries: Iterable[str]) -> None:
        """Another level, where it is not there yet."""
        present = self._levels[-1].libraries
        wanted = tuple(sorted({*present, *libraries}))
        if wanted != present:
            began = time.monotonic()
            self.tell({"style": "grow", "libraries": wanted})
            self._wait_until_ready()
            self._levels.append(Level(wanted, time.monotonic() - began))

    def seconds_within(self, includes: Includes) -> float:
        """How long those of its levels took that would stay: the first ones, up to some level."""
        return sum(level.seconds for level in self._levels if includes(level.libraries))

    def _wait_until_ready(self) -> None:
        try:
            self._guest.receive(_START_SECONDS)
        except Ended as ended:  # no candidate has been near it yet
            why = f"{self._executable} did not start: it {ended}. {self._guest.stderr()}"
            raise RuntimeError(why) from None

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to one request, which the zygote gives within its own limits."""
        self.tell(request)
        return self._reply(seconds)

    def ask_all(
        self, request: Mapping[str, Any], programs: Sequence[Program], seconds: float
    ) -> Iterator[dict[str, Any]]:
        """A reply for each of the programs; for the first only, where no other can follow it."""
        count = len(programs) if self.reusable else 1
        sent = [{"source": p.source, "first_line": p.first_line} for p in programs[:count]]
        self.tell({**request, "programs": sent})
        for _ in sent:
            yield self._reply(seconds)

    def _reply(self, seconds: float) -> dict[str, Any]:
        reply = json.loads(self.receive(seconds + GRACE_SECONDS))
        assert isinstance(reply, dict)
        return reply

    def tell(self, request: Mapping[str, Any]) -> None:
        """Sends a request that has no reply."""
        self.send(json.dumps(request).encode())

    def send(self, frame: bytes) -> None:
        self._guest.send(frame, _SEND_SECONDS)

    def receive(self, seconds: float) -> bytes:
        return self._guest.receive(seconds)

    def close(self) -> None:
        self._guest.close()


def _filters() -> tuple[str, str]:
    """What candidates may not do, though zygotes may, in base 64: any, and a first process."""
    programs = [
        seccomp.program_of_child(first=first) if seccomp.supported() else b""
        for first in (False, True)
    ]
    usual, of_first = (base64.b64encode(code).decode() for code in programs)
    return usual, of_first
