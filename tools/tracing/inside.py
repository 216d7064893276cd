"""Runs in every traced process: tells `tools/way` which calls cross from one module to another.

`tools/way` puts this text at the top of the packages' __init__.py in a copy of the checkout, with
the path of a named pipe in PIPE. It runs in sandboxes as well, on any Python from 3.9 on.
"""

import contextlib
import fcntl
import json
import os
import stat
import sys
import threading
import time
import types
from typing import Any, Dict, List, Optional, Set, Tuple

PIPE = "@PIPE@"
PACKAGES = ("polyassay", "polyassay_harness")
GENERATED = "<"  # files named <string> and the like hold code that nobody wrote
FIRST = "start_run"  # the call with whose return the run is recorded and the way begins
LAST = "save_verdicts"  # the call with whose return the way is over
FORKS = ("fork", "single_fork")  # functions of ours that fork by a call that a profiler misses
# What a process does once, before it is ready for any candidate: version 0.1.0 rehearsed.
SETTING_UP = ("interpreter_of", "rehearse")

STARTING = {
    "posix": ("fork", "execve", "posix_spawn"),
    "_posixsubprocess": ("fork_exec",),
    "builtins": ("exec",),
}
EXCHANGING = ("read", "readline", "readinto", "write", "send", "sendall", "recv", "recv_into")
FREE = 100  # a descriptor that the harness does not use

_seen: Set[Any] = set()
_guests: Dict[int, List[str]] = {}
_process, _pipe = "", -1
_numbers = (0, 0)
_write_bytes = os.write


def _write(event: Dict[str, Any]) -> None:
    event["process"], event["at"] = _process, time.monotonic()
    line = json.dumps(event).encode() + b"\n"  # short enough to arrive in one piece
    with contextlib.suppress(OSError):  # nobody listens any more
        _write_bytes(_pipe, line)


def _begin() -> None:
    """A new process; its numbers alone do not tell it apart, as each namespace counts anew."""
    global _process, _numbers
    parent, _process = _process, os.urandom(6).hex()
    _numbers = (os.getpid(), os.getppid())
    _write({"kind": "process", "parent": parent})


def _name(frame: Any) -> Optional[Tuple[str, str]]:
    """The module and function of a frame of ours, or nothing."""
    module = frame.f_globals.get("__name__") or ""
    if module.split(".")[0] not in PACKAGES or frame.f_code.co_filename.startswith(GENERATED):
        return None
    name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
    return None if name.startswith("_install.") else (module, name)


def _chain(frame: Any) -> List[Tuple[str, str]]:
    """The functions of ours that are under way, the last one first, whatever is between them."""
    chain: List[Tuple[str, str]] = []
    while frame is not None:
        name = _name(frame)
        if (name and name[1] in ("<module>", *SETTING_UP)) or _imports(frame):
            return []  # what an import or setting up does is no part of the way
        if name and chain[-1:] != [name]:
            chain.append(name)
        frame = frame.f_back
    return chain


def _imports(frame: Any) -> bool:
    return (frame.f_globals.get("__name__") or "").startswith("importlib._bootstrap")


def _trace(frame: Any, event: str, value: Any) -> None:
    if event == "c_call":
        if _crosses(value):
            _note_way(frame, exchange=value.__name__ in EXCHANGING)
    elif event == "return":
        _note_return(frame, frame.f_code.co_name, value)
    elif event == "call":
        _note_call(frame, frame.f_code.co_name)


def _crosses(function: Any) -> bool:
    """Whether a call into C starts a process, exchanges bytes with one, or runs code."""
    name, owner = function.__name__, function.__self__
    if isinstance(owner, types.ModuleType):
        return name in STARTING.get(owner.__name__, ())
    if name not in EXCHANGING:
        return False
    try:
        return _leads_to_a_process(owner.fileno())
    except (AttributeError, OSError, ValueError):
        return False


def _leads_to_a_process(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _noting(function: Any) -> Any:
    """os.read or os.write, which a profiler is told of without the descriptor."""

    def exchange(descriptor: int, value: Any) -> Any:
        if _leads_to_a_process(descriptor):
            _note_way(sys._getframe(1), exchange=True)
        return function(descriptor, value)

    return exchange


def _note_way(frame: Any, exchange: bool = False) -> None:
    """The calls from module to module that are under way, and what the last module does."""
    chain, caller, depth = _chain(frame), None, 0
    if chain:
        _tell({"kind": "end", "caller": chain[0][0], "callee": "exchange" if exchange else "other"})
    for callee in reversed(chain):
        if caller is None or caller[0] != callee[0]:
            _tell({"kind": "call", "caller": caller, "callee": callee, "depth": depth})
            depth += 1
        caller = callee


def _note_return(frame: Any, name: str, value: Any) -> None:
    if name == "start" and hasattr(frame.f_locals.get("box"), "argv"):
        _guests[id(value)] = list(frame.f_locals["box"].argv)
    elif "fork" in name and type(value) is int and value == 0 and _name(frame):
        _begin()
    elif name == FIRST and _name(frame):
        _seen.clear()
        _write({"kind": "recorded"})
    elif name == LAST and _name(frame):
        _note_way(frame)
        _write({"kind": "stored"})


def _note_call(frame: Any, name: str) -> None:
    if (os.getpid(), os.getppid()) != _numbers:  # a fork that was made in another way
        _begin()
    if name in FORKS and _name(frame):
        _note_way(frame.f_back)  # what is under way now is its parent's way, and not the fork's
    elif name == "send_command" and frame.f_globals.get("__name__") == "py4j.java_gateway":
        _note_message(frame, "the compile service")
    elif name in ("send", "receive") and id(frame.f_locals.get("self")) in _guests:
        _note_message(frame, _guests[id(frame.f_locals["self"])])


def _note_message(frame: Any, guest: Any) -> None:
    _note_way(frame, exchange=bool(_name(frame)))
    chain = _chain(frame.f_back)
    if chain:
        depth = len({module for module, _ in chain})
        _tell({"kind": "message", "caller": chain[0], "guest": guest, "depth": depth})


def _tell(event: Dict[str, Any]) -> None:
    ends = event["caller"], str(event.get("callee") or event.get("guest"))
    if ends not in _seen:
        _seen.add(ends)
        _write(event)


def _install() -> None:
    global _pipe
    opened = os.open(PIPE, os.O_WRONLY)
    _pipe = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, FREE)
    os.close(opened)
    _begin()
    closerange, setprofile = os.closerange, sys.setprofile

    def closerange_but_the_pipe(low: int, high: int) -> None:
        closerange(low, min(high, _pipe))
        closerange(max(low, _pipe + 1), high)

    os.closerange = closerange_but_the_pipe
    os.read, os.write = _noting(os.read), _noting(os.write)
    setprofile(_trace)
    # The harness turns off what a candidate may have turned on; threads turn this on.
    sys.setprofile = lambda function: setprofile(_trace) if function is _trace else None
    threading.setprofile(_trace)


if not hasattr(sys, "traced_by_way"):  # the runner imports both packages
    sys.traced_by_way = True  # type: ignore[attr-defined]
    _install()
