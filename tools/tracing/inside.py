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
LAST = "save_verdicts"  # the call with whose return the way is over

CROSSING = {
    "posix": ("fork", "read", "write", "execve", "posix_spawn"),
    "_posixsubprocess": ("fork_exec",),
    "builtins": ("exec",),
}
EXCHANGING = ("read", "readline", "readinto", "write", "send", "sendall", "recv", "recv_into")
FREE = 100  # a descriptor that the harness does not use

_seen: Set[Any] = set()
_guests: Dict[int, List[str]] = {}
_process, _pipe = "", -1
_numbers = (0, 0)


def _write(event: Dict[str, Any]) -> None:
    event["process"], event["at"] = _process, time.monotonic()
    line = json.dumps(event).encode() + b"\n"  # short enough to arrive in one piece
    with contextlib.suppress(OSError):  # nobody listens any more
        os.write(_pipe, line)


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
        if name and name[1] == "<module>":
            chain = []  # what an import does is no part of the way
        elif name and chain[-1:] != [name]:
            chain.append(name)
        frame = frame.f_back
    return chain


def _trace(frame: Any, event: str, value: Any) -> None:
    if event == "c_call":
        if _crosses(value):
            _note_way(frame)
    elif event == "return":
        _note_return(frame, frame.f_code.co_name, value)
    elif event == "call":
        _note_call(frame, frame.f_code.co_name)


def _crosses(function: Any) -> bool:
    """Whether a call into C starts a process, exchanges bytes with one, or runs code."""
    name, owner = function.__name__, function.__self__
    if isinstance(owner, types.ModuleType):
        return name in CROSSING.get(owner.__name__, ())
    if name not in EXCHANGING:
        return False
    try:
        mode = os.fstat(owner.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _note_way(frame: Any) -> None:
    """The calls from module to module that are under way."""
    caller, depth = None, 0
    for callee in reversed(_chain(frame)):
        if caller is None or caller[0] != callee[0]:
            _tell({"kind": "call", "caller": caller, "callee": callee, "depth": depth})
            depth += 1
        caller = callee


def _note_return(frame: Any, name: str, value: Any) -> None:
    if name == "start" and hasattr(frame.f_locals.get("box"), "argv"):
        _guests[id(value)] = list(frame.f_locals["box"].argv)
    elif "fork" in name and type(value) is int and value == 0 and _name(frame):
        _begin()
    elif name == LAST and _name(frame):
        _note_way(frame)
        _write({"kind": "stored"})


def _note_call(frame: Any, name: str) -> None:
    if (os.getpid(), os.getppid()) != _numbers:  # a fork that was made in another way
        _begin()
    if name == "send_command" and frame.f_globals.get("__name__") == "py4j.java_gateway":
        guest: Any = "the compile service"
    elif name in ("send", "receive") and id(frame.f_locals.get("self")) in _guests:
        guest = _guests[id(frame.f_locals["self"])]
    else:
        return
    _note_way(frame)
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
    setprofile(_trace)
    # The harness turns off what a candidate may have turned on; threads turn this on.
    sys.setprofile = lambda function: setprofile(_trace) if function is _trace else None
    threading.setprofile(_trace)


if not hasattr(sys, "traced_by_way"):  # the runner imports both packages
    sys.traced_by_way = True  # type: ignore[attr-defined]
    _install()
