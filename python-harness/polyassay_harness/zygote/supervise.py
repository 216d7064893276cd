"""What a supervisor does from its first step to its last: one candidate, one report."""

import json
import os
import resource
import sys
import time
import traceback
from typing import Any, Dict, NoReturn

from polyassay_harness.notebook.cell import CellSupervisor
from polyassay_harness.process.budget import Budget
from polyassay_harness.process.limits import cpu_of
from polyassay_harness.supervisor.functions import FunctionSupervisor
from polyassay_harness.supervisor.program import ProgramSupervisor
from polyassay_harness.supervisor.pytest_file import PytestSupervisor
from polyassay_harness.supervisor.relay import Relay
from polyassay_harness.wire.messages import FINISHED, JUDGED, Judge, Work
from polyassay_harness.wire.streams import Streams

SUPERVISORS: Dict[str, Any] = {
    "function": FunctionSupervisor,
    "class": FunctionSupervisor,
    "sets": FunctionSupervisor,
    "program": ProgramSupervisor,
    "pytest": PytestSupervisor,
    "cell": CellSupervisor,
}


def supervise(judge: Judge, payload: bytes, scratch: str, streams: Streams) -> NoReturn:
    """Judges one candidate; exit status 0 tells that a report was sent."""
    try:
        began = time.monotonic()
        work: Work = json.loads(payload)
        budget = Budget(judge["limits"]["total_seconds"], root=os.getpid())
        if judge["apart"]:
            printed = Relay(work, scratch, streams, budget).run()
            streams.send_with_payload(FINISHED, _used(began), printed)
        else:
            report = SUPERVISORS[judge["style"]](work, scratch, budget).judge()
            streams.send(JUDGED, {**report, **_used(began)})
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


def _used(began: float) -> Dict[str, float]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"seconds": time.monotonic() - began, "cpu_seconds": sum(map(cpu_of, used))}
