"""The cells before a candidate's: they run once, in a process that is forked for each candidate.

Where the context leaves something behind that a fork would lose or share, each candidate gets a
context of its own, in its own process (cell.py).
"""

import base64
import gc
import os
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional

from polyassay_harness.process.folders import Folder
from polyassay_harness.wire import messages

RunCell = Callable[[str], messages.Json]


class ContextHolder:
    """The cells that have run in this process."""

    held: Optional["ContextHolder"] = None  # of this process or the one that it was forked from

    def __init__(self, scratch: str) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)  # what a context prints is not asked for
        os.close(null)
        self._before = _descriptors()
        self._folder = Folder(scratch)
        self._laid_out = False
        self._done = 0
        self.place = self._folder.path  # the working folder, from which cells may move away
        self.files: Dict[str, str] = {}
        self.random_state: Any = None

    def extend(self, context: messages.Context) -> messages.ContextReady:
        """Runs the cells that have not run yet, and says whether this process can be forked."""
        if not self._laid_out:
            self._folder.lay_out(context["files"])
            self._laid_out = True
        os.chdir(self.place)
        problem = run_context(shell_runner(), context["cells"][self._done :], self._done)
        if problem:
            return {"problem": problem}
        self._done = len(context["cells"])
        gc.collect()
        left = self._left_behind()
        if left:
            return {"anew": left}
        self.files = _read_files(self._folder.path)
        self.random_state, self.place = random_module().getstate(), os.getcwd()
        ContextHolder.held = self
        return {}

    def _left_behind(self) -> str:
        if len(os.listdir("/proc/self/task")) > 1:
            return "threads"
        if _has_children():
            return "processes"
        if _descriptors() - self._before:
            return "open files or connections"
        return ""


def shell_runner() -> RunCell:
    """From the shell, which the zygote has imported and a candidate's process no longer finds."""
    from polyassay_harness.notebook import shell

    return shell.run_cell


def random_module() -> ModuleType:
    """Not imported with this module, because zygotes without notebooks need not carry it along."""
    import random

    return random


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
    """The files that the context left in its working folder, for the folders of candidates."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    content = base64.b64encode(file.read()).decode()
                found[os.path.relpath(path, folder)] = content
    return found
