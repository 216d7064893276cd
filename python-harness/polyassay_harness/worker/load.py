"""Becomes the process that is to hold a candidate, and loads the candidate's program.

The program is loaded as a module of its own or as the main program.
"""

import ast
import builtins
import linecache
import os
import sys
import types
from typing import Any, Dict, List, Tuple

from polyassay_harness.process import confine
from polyassay_harness.process.limits import set_rlimits
from polyassay_harness.testing.checks import may_claim
from polyassay_harness.testing.describe import FILENAME, MODULE

_live_builtins = vars(builtins)
_builtins = dict(_live_builtins)
_compile, _exec, _getcwd = compile, exec, os.getcwd
_BaseException = BaseException
_PACKAGE = "polyassay_harness"
_BELOW = 12  # frames of ours, at most, between where a program is loaded and where it is called
_loaded: List[bool] = []


def become_child(streams: Tuple[int, int, int], channel: int, limits: List[Tuple[int, int]]) -> int:
    """Leaves everything of the supervisor behind; returns the channel's new descriptor."""
    os.setsid()
    for target, source in enumerate((*streams, channel)):
        os.dup2(source, target)
    os.closerange(4, 1024)
    set_rlimits(limits)
    confine.unseal()
    forget_harness()
    return 3


def forget_harness() -> None:
    """Candidates find no module of ours; those that are loaded know each other already."""
    if _PACKAGE in sys.modules:
        for name in [name for name in sys.modules if name.startswith(_PACKAGE)]:
            del sys.modules[name]


def filename_of(module: str) -> str:
    """The file name that tracebacks and inspect give to a program loaded as this module."""
    return FILENAME if module == MODULE else module.replace(".", "/") + ".py"


def load(source: str, name: str = MODULE) -> Dict[str, Any]:
    """Executes the program and returns its namespace; raises whatever it raises."""
    filename = filename_of(name)
    code = _compile(source, filename, "exec", dont_inherit=True)
    _loaded[:] = [may_claim(code)]
    module = types.ModuleType(name)
    namespace = module.__dict__
    namespace["__file__"] = f"{_getcwd()}/{filename}"
    sys.modules[name] = module
    _make_room_below()
    lines = source.splitlines(keepends=True)
    linecache.cache[filename] = (len(source), None, lines, filename)  # for inspect, tracebacks
    _exec(code, namespace)
    return namespace


def _make_room_below() -> None:
    """Our own frames are not to count when a program recurses as deeply as it may."""
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    sys.setrecursionlimit(sys.getrecursionlimit() + depth + _BELOW)


def lay_out(modules: Dict[str, str], folder: str) -> None:
    """Puts the program's other files where it can import them from."""
    if not modules:
        return
    for path, text in modules.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    if folder not in sys.path:
        sys.path.insert(0, folder)


def forget() -> None:
    """Takes the program out, as if none had been loaded."""
    del sys.modules[MODULE], linecache.cache[FILENAME]
    _loaded.clear()


def may_lie() -> bool:
    """Whether the program that was loaded could make objects that claim to be equal."""
    return _loaded != [False]


def restore_builtins() -> None:
    """Takes back what the program did to names that every test relies on.

    A program that could not have done it is spared the look, which touches every one of them.
    """
    if not may_lie():
        return
    sys.settrace(None)
    sys.setprofile(None)
    if _live_builtins != _builtins:
        _live_builtins.update(_builtins)


def functions(source: str, namespace: Dict[str, Any]) -> List[str]:
    """The names of the functions that a program defines, in its order, whatever they are called."""
    defined = {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    return [
        name
        for name, value in namespace.items()
        if (name in defined and callable(value))
        or (type(value) is types.FunctionType and value.__globals__ is namespace)
    ]


def flush() -> None:
    """Writes out what the program printed."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except _BaseException:  # the answer may have put anything there
            continue
