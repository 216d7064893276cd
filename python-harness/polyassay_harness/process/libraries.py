"""Imports a suite's libraries ahead, for a process that is forked later."""

import contextlib
import gc
import importlib
from typing import Sequence


def import_libraries(names: Sequence[str]) -> None:
    """Imports what can be imported; of the rest, candidates will hear when they try."""
    gc.disable()  # nothing of a library is garbage, and to look for it takes a tenth of the time
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    gc.enable()
