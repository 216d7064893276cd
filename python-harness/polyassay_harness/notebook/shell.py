"""The IPython shell that runs the cells of notebooks; importing this module makes it.

It is made before the suite's libraries are imported, because pandas looks at import time whether
it is in a notebook. The shell has no threads, sockets or history file, so that it can be forked.
"""

import contextlib
import os
import sys
from typing import Any, Dict, List, Optional

os.environ.setdefault("IPYTHONDIR", "/tmp/ipython")  # noqa: S108 - private to each sandbox

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

_TEXT_CHARACTERS = 100_000  # of all results and displays of a cell
_lseek, _SEEK_CUR, _BaseException, _MemoryError = os.lseek, os.SEEK_CUR, BaseException, MemoryError

_shown: List[Dict[str, Any]] = []


def _show(kind: str, data: Any) -> None:
    """Records a text, and where in the standard output it belongs."""
    text = data.get("text/plain")
    room = _TEXT_CHARACTERS - sum(len(item["text"]) for item in _shown)
    if isinstance(text, str) and room > 0:
        flush()
        _shown.append({"kind": kind, "text": text[:room], "at": _lseek(1, 0, _SEEK_CUR)})


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(_BaseException):  # the cell may have put anything there
            stream.flush()


class _Results(DisplayHook):
    def write_output_prompt(self) -> None:
        """A kernel has none in its text either."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        _show("result", format_dict)

    def finish_displayhook(self) -> None:
        self.prompt_end_newline = False


class _Displays(DisplayPublisher):
    def publish(self, data: Any, *args: Any, **kwargs: Any) -> None:
        _show("display", data)

    def clear_output(self, wait: bool = False) -> None:
        _shown.clear()


class Shell(InteractiveShell):
    displayhook_class = Type(_Results)
    display_pub_class = Type(_Displays)
    kernel = None  # what pandas and others look for to know a notebook

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Tracebacks are not output, and making them costs more than most cells do."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Nor are these."""

    def system(self, cmd: str) -> None:
        """Runs a shell command without a terminal: its output goes where all output goes."""
        flush()
        self.system_raw(cmd)

    def enable_gui(self, gui: Any = None) -> None:
        """There is none, which `%matplotlib inline` does not mind."""

    def ask_exit(self) -> None:
        """A cell that asks to exit ends nothing, as in a kernel that nobody restarts."""

    def init_history(self) -> None:
        super().init_history()
        self.history_manager.enabled = False


def _make() -> Shell:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Minimal"  # it keeps tracebacks too, and these cost least
    config.DisplayFormatter.active_types = ["text/plain"]
    made = Shell.instance(config=config)
    made.builtin_trap.activate()
    sys.path.insert(0, "")  # modules may lie beside a notebook
    return made


shell = _make()


def run_cell(source: str) -> Dict[str, Any]:
    """The outputs that the cell showed besides printing, and the exception that it raised."""
    _shown.clear()
    error: Optional[BaseException] = None
    try:
        result = shell.run_cell(source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
    except _BaseException as escaped:
        error = escaped
    flush()
    outcome: Dict[str, Any] = {"shown": list(_shown)}
    if error is not None:
        outcome["error"] = type(error).__name__
        outcome["message"] = _message(error)
        outcome["memory"] = isinstance(error, _MemoryError)
    return outcome


def _message(error: BaseException) -> str:
    try:
        return str(error)[:2000]
    except _BaseException:
        return ""
