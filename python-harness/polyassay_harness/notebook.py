"""Runs the cells of notebooks: the context once, then each candidate's cell in a fork of it.

What is expected is not here: the runner compares, out of the candidate's reach. The context runs
in a fork of the zygote, which serves in its place from then on. That fork confines each candidate
as the zygote does. Where the context leaves something behind that a fork would lose or share, each
candidate gets a context of its own, in its own process.
"""

import base64
import gc
import os
import time
from types import ModuleType
from typing import Any, Callable, Dict, List, NoReturn, Optional

from polyassay_harness import frames
from polyassay_harness.folders import Folder, nameless_file
from polyassay_harness.limits import allow_cpu
from polyassay_harness.processes import Stopped
from polyassay_harness.supervise import Process

PRINTED_BYTES = 256 << 10

Message = Dict[str, Any]
RunCell = Callable[[str], Message]


class Context:
    """The cells before the candidate's, which have run in this process."""

    held: Optional["Context"] = None  # of this process or the one that it was forked from

    def __init__(self, scratch: str, files: Dict[str, str]) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)  # nobody asks what a context prints
        os.close(null)
        self._before = _descriptors()
        self._folder = Folder(scratch)
        self._folder.lay_out(files)
        self._done = 0
        self.place = self._folder.path  # the working folder, from which cells may move away
        self.files: Dict[str, str] = {}
        self.random_state: Any = None

    def extend(self, cells: List[str]) -> Message:
        """Runs the cells that have not run yet, and says whether this process can be forked."""
        os.chdir(self.place)
        problem = run_context(_run_cell(), cells[self._done :], self._done)
        if problem:
            return {"problem": problem}
        self._done = len(cells)
        gc.collect()
        left = self._left_behind()
        if left:
            return {"anew": left}
        self.files = _read_files(self._folder.path)
        self.random_state, self.place = _random().getstate(), os.getcwd()
        Context.held = self
        return {"ready": True}

    def _left_behind(self) -> str:
        if len(os.listdir("/proc/self/task")) > 1:
            return "threads"
        if _has_children():
            return "processes"
        if _descriptors() - self._before:
            return "open files or connections"
        return ""


def _run_cell() -> RunCell:
    """From the shell, which the zygote has imported and a candidate's process no longer finds."""
    from polyassay_harness import notebook_shell

    return notebook_shell.run_cell


def run_context(run_cell: RunCell, cells: List[str], done: int = 0) -> str:
    """Runs the cells in turn; what went wrong, if anything did."""
    for number, cell in enumerate(cells, start=done + 1):
        outcome = run_cell(cell)
        if "error" in outcome:
            return f"cell {number} of it: {outcome['error']}: {outcome['message']}"
    return ""


def _descriptors() -> "set[str]":
    return set(os.listdir("/proc/self/fd"))


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _read_files(folder: str) -> Dict[str, str]:
    """What the context left in its working folder, for the folders of candidates."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    content = base64.b64encode(file.read()).decode()
                found[os.path.relpath(path, folder)] = content
    return found


class CellSupervisor:
    """Runs one candidate's cell after its context, in a process and a folder of its own."""

    def __init__(self, request: Message, scratch: str) -> None:
        self._request = request
        self._scratch = scratch
        self._folder = Folder(scratch)

    def judge(self) -> Message:
        held = Context.held
        self._folder.lay_out(held.files if held else self._request["files"])
        printed, errors = nameless_file(self._scratch), nameless_file(self._scratch)
        process = CellProcess(self._request, self._folder.path, printed, errors)
        started = process.first_word()  # the context's, when no candidate code has run
        if "ending" in started:
            return {"problem": started["reason"]}
        if started["problem"]:
            return {"problem": started["problem"]}
        result = process.finish(self._request["cell_seconds"])
        process.end()
        text = os.pread(printed, PRINTED_BYTES, started["printed"]).decode("utf-8", "replace")
        return {
            "cell": {**result, "printed": text, "start": started["printed"]},
            "output": os.pread(errors, PRINTED_BYTES, 0).decode("utf-8", "replace"),
        }


class CellProcess(Process):
    def __init__(self, request: Message, work: str, printed: int, errors: int) -> None:
        deadline = time.monotonic() + request["limits"]["total_seconds"]
        super().__init__(request, work, printed, deadline, errors=errors, body=_body())

    def finish(self, seconds: float) -> Message:
        self._deadline = time.monotonic() + seconds
        try:
            return {**self._receive(), "status": "ended"}
        except Stopped as stopped:
            return stopped.result()


def _random() -> ModuleType:
    """Not imported with this module, because zygotes without notebooks need not carry it along."""
    import random

    return random


def _body() -> Callable[[Message, int, str], NoReturn]:
    """What the candidate's process does: the context, unless it was inherited, then the cell."""
    run_cell, held, random = _run_cell(), Context.held, _random()

    def run(request: Message, channel: int, _work: str) -> NoReturn:
        seconds, problem = request["limits"]["seconds"], ""
        if held:
            random.setstate(held.random_state)  # which Python seeds afresh in every fork
            os.makedirs(held.place, exist_ok=True)  # an empty folder is not among the files
            os.chdir(held.place)
        else:
            allow_cpu(request["limits"]["total_seconds"], spare=seconds + 1)
            problem = run_context(run_cell, request["cells"])
        frames.send(channel, {"problem": problem, "printed": os.lseek(1, 0, os.SEEK_CUR)})
        allow_cpu(seconds)
        frames.send(channel, run_cell(request["source"]))
        os._exit(0)

    return run
