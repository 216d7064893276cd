"""What an interpreter in a sandbox does before it becomes a zygote or a judge.

The harness' folder is not on the path while candidates run, lest they import it by accident.
"""

import importlib
import os
import site
import sys
from types import ModuleType


def load_part(part: str) -> ModuleType:
    """The module that goes on from here, by its `main`: of zygote, judge or notebook.kernel."""
    _expect_scratch()
    _complete()
    name = part if "." in part else f"{part}.main"
    module = importlib.import_module(f"polyassay_harness.{name}")
    del sys.path[0]
    return module


def _expect_scratch() -> None:
    """Works only in a folder that a sandbox made for this process: guests empty and fill theirs."""
    made = os.environ.pop("POLYASSAY_SCRATCH", "")
    if not made or os.path.realpath(made) != os.path.realpath(os.getcwd()):
        sys.exit(f"{os.getcwd()} is no folder that a sandbox made for this process")


def _complete() -> None:
    """Does what Python does at its start, but for the machine's start files (*.pth and others)."""
    if sys.flags.no_site:
        site.setquit()
        site.setcopyright()
        site.sethelper()
        sys.path += filter(os.path.isdir, site.getsitepackages())
