"""Runs a program as the interpreter runs a script, until its last object has ended."""

import atexit
import gc
import os
import sys
import threading
import traceback
from typing import Any, Dict, NoReturn

from polyassay_harness.process.limits import allow_cpu
from polyassay_harness.testing.describe import FILENAME, describe
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import Work
from polyassay_harness.worker import load

_MAIN = "__main__"
_NOT_FLUSHED = 120  # as the interpreter says it


def run_script(work: Work, channel: int) -> NoReturn:
    """Ends the process."""
    source = work["source"]
    try:
        compile(source, FILENAME, "exec", dont_inherit=True)
    except BaseException as error:
        problem = describe(error, FILENAME, work["first_line"])
        frames.send(channel, {"problem": problem})
        os._exit(1)
    os.close(channel)
    allow_cpu(work["limits"]["seconds"])
    sys.argv[:] = [FILENAME]
    status = 0
    try:
        # Its own file too, which some read, and processes that it spawns import.
        load.lay_out({load.filename_of(_MAIN): source, **work.get("modules", {})}, os.getcwd())
        load.load(source, _MAIN)
    except SystemExit as leaving:
        status = _exit_status(leaving)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    status = _flush() or status
    _let_go()
    for stream in (sys.__stdout__, sys.__stderr__):
        _is_flushed(stream)
    os._exit(status)


def _exit_status(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return (leaving.code or 0) & 0xFF
    print(leaving.code, file=sys.stderr)  # noqa: T201 - as the interpreter does
    return 1


def _flush() -> int:
    """The exit status where that fails; streams that the program closed or took away are fine."""
    flushed = [_is_flushed(getattr(sys, name, None)) for name in ("stdout", "stderr")]
    return 0 if all(flushed) else _NOT_FLUSHED


def _is_flushed(stream: Any) -> bool:
    try:
        if stream is not None and not getattr(stream, "closed", False):
            stream.flush()
    except BaseException:  # whatever the program has put there
        return False
    return True


def _let_go() -> None:
    """Ends the program's objects, so that its files are written and its finalizers run."""
    namespace: Dict[str, Any] = getattr(sys.modules.get(_MAIN), "__dict__", {})
    for name in list(namespace):
        if name != "__builtins__":
            namespace[name] = None
    gc.collect()
