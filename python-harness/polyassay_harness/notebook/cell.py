"""Runs one candidate's cell after its context, in a process and a folder of its own.

What is expected is not here: the runner compares, out of the candidate's reach.
"""

import os
from typing import NoReturn

from polyassay_harness.notebook.context import (
    ContextHolder,
    random_module,
    run_context,
    shell_runner,
)
from polyassay_harness.process.budget import Budget
from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.process.limits import allow_cpu
from polyassay_harness.supervisor.child_process import Body, ChildProcess
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import Json, Judged, Work
from polyassay_harness.wire.reports import cell_report

PRINTED_BYTES = 256 << 10


class CellSupervisor:
    def __init__(self, work: Work, scratch: str, budget: Budget) -> None:
        self._work = work
        self._scratch = scratch
        self._budget = budget
        self._folder = Folder(scratch)

    def judge(self) -> Judged:
        held = ContextHolder.held
        self._folder.lay_out(held.files if held else self._work["files"])
        printed, errors = nameless_file(self._scratch), nameless_file(self._scratch)
        process = CellProcess(self._work, self._folder.path, printed, self._budget, _body(), errors)
        self._budget.begin_test(self._work["limits"]["total_seconds"])  # the context has that
        started = process.first_word()  # the context's, when no candidate code has run
        if "ending" in started:
            return {"problem": started["reason"]}
        if started["problem"]:
            return {"problem": started["problem"]}
        budget = Budget(self._work["cell_seconds"], root=os.getpid())
        budget.begin_test(self._work["limits"]["seconds"])
        result = process.finish(budget)
        process.end()
        text = os.pread(printed, PRINTED_BYTES, started["printed"]).decode("utf-8", "replace")
        return {
            "cell": {**result, "printed": text, "start": started["printed"]},
            "output": os.pread(errors, PRINTED_BYTES, 0).decode("utf-8", "replace"),
        }


class CellProcess(ChildProcess):
    def finish(self, budget: Budget) -> Json:
        self._budget = budget
        try:
            return {**cell_report(self.receive()), "status": "ended"}
        except Stopped as stopped:
            return {**stopped.result(), "idled": stopped.idled}


def _body() -> Body:
    """The candidate's process: runs the context, unless it was inherited, and then the cell."""
    run_cell, held, random = shell_runner(), ContextHolder.held, random_module()

    def run(work: Work, channel: int, _folder: str) -> NoReturn:
        seconds, problem = work["limits"]["seconds"], ""
        if held:
            random.setstate(held.random_state)  # which Python seeds afresh in every fork
            os.makedirs(held.place, exist_ok=True)  # an empty folder is not among the files
            os.chdir(held.place)
        else:
            allow_cpu(work["limits"]["total_seconds"], spare=seconds + 1)
            problem = run_context(run_cell, work["cells"])
        frames.send(channel, {"problem": problem, "printed": os.lseek(1, 0, os.SEEK_CUR)})
        allow_cpu(seconds)
        frames.send(channel, run_cell(work["source"]))
        os._exit(0)

    return run
