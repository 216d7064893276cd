"""The process in which a suite's pytest runs its tests beside the candidate.

pytest calls the methods of `Reporter`, a plugin, which tells the supervisor what was collected and
how each test ended. A test is what pytest calls an item: a function, a method, or a case of a
parametrized one. Its name is pytest's own, without the file: `TestStack::test_pop[2]`.
"""

import linecache
import os
import sys
import time
from typing import Any, Dict, List, NoReturn

from polyassay_harness.process.limits import allow_cpu
from polyassay_harness.testing.describe import describe, last_line_in, shorten
from polyassay_harness.wire.frames import send
from polyassay_harness.wire.messages import Work
from polyassay_harness.worker import load
from polyassay_harness.worker.load import flush

_FILE = "test_answer.py"
_OPTIONS = ("-q", "--tb=short", "--color=no", "-p", "no:cacheprovider")
_exit, _clock, _send = os._exit, time.perf_counter, send
# Marks of tests that their publisher has switched off, or expects to fail.
_MARKS = ("skip", "xfail")
_FLAGS = ("__unittest_skip__", "__unittest_expecting_failure__")


def run_pytest(work: Work, channel: int, folder: str) -> NoReturn:
    """Loads the program, then runs those of its tests that are wanted; ends the process."""
    reporter = Reporter(work, channel)
    reporter.allow_time()
    sys.path.insert(0, folder)
    _write(folder, f"{work['module'].replace('.', '/')}.py", work["source"])
    try:
        load.lay_out(work.get("modules", {}), folder)
        load.load(work["source"], work["module"])
    except MemoryError:
        reporter.end("out_of_memory", "out of memory while it loaded")
    except BaseException as error:
        reporter.end("unbuilt", reporter.describe(error))
    for path, text in {**work["support"], _FILE: work["test_source"]}.items():
        _write(folder, path, text)
    import pytest  # the suite's

    pytest.main([*_OPTIONS, "--rootdir", folder, _FILE], plugins=[reporter])
    flush()
    _exit(0)


class Reporter:
    """A plugin of pytest: each method is one of its hooks, unless its docstring says otherwise."""

    def __init__(self, work: Work, channel: int) -> None:
        self._channel = channel
        self._collects = work.get("collect", False)
        self._tokens = {test["name"]: test["token"] for test in work["tests"]}
        self._reordered = work.get("reordered", False) and not self._collects
        self._seconds = work["limits"]["seconds"]
        self._file = load.filename_of(work["module"])
        self._first_line = work["first_line"]
        self._began = 0.0
        self._result: Dict[str, Any] = {}
        self._disabled: List[str] = []

    def pytest_collection_modifyitems(self, items: List[Any]) -> None:
        if self._collects:
            self._disabled = [_name(item.nodeid) for item in items if _is_disabled(item)]
            items[:] = [item for item in items if not _is_disabled(item)]
        else:
            items[:] = [item for item in items if _name(item.nodeid) in self._tokens]
        if self._reordered:
            places = {name: place for place, name in enumerate(self._tokens)}
            items.sort(key=lambda item: places[_name(item.nodeid)])

    def pytest_collection_finish(self, session: Any) -> None:
        if session.testsfailed:
            return  # its reason has been told
        names = [_name(item.nodeid) for item in session.items]
        found = {"collected": names, "disabled": self._disabled}
        _send(self._channel, {"functions": [], "threads": False, **found})
        if self._collects or not names:
            flush()
            _exit(0)

    def pytest_exception_interact(self, call: Any, report: Any) -> None:
        """Ends the process where the tests cannot be collected; pytest would run none either."""
        if report.when == "collect":
            error = call.excinfo.value
            while error.__cause__ is not None and type(error).__name__ == "CollectError":
                error = error.__cause__
            why = f"the tests cannot be collected with it: {self.describe(error)}"
            self.end("unbuilt", why)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.allow_time()
        self._began = _clock()
        self._result = {"status": "passed"}
        _send(self._channel, {"begins": True, "name": _name(nodeid)})

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Remembers what was raised first: by the fixtures, the test, a subtest or its end."""
        if call.excinfo is None or self._result["status"] != "passed":
            return
        error = call.excinfo.value
        kind = type(error).__name__
        message = _claim(item, error) if kind == "AssertionError" else self.describe(error)
        status = "error"
        if isinstance(error, MemoryError):
            status, message = "out_of_memory", "out of memory"
        elif isinstance(error, AssertionError) or kind == "Failed":
            status = "failed"
        elif kind in ("Skipped", "SkipTest"):
            status = "skipped"
        if status in ("failed", "error"):
            message += _place(item, error)
        self._result = {"status": status, "type": shorten(kind), "message": message}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Holds the result against pytest's own word, which also knows about subtests."""
        if report.outcome != "passed" and self._result["status"] == "passed":
            text = getattr(report, "longreprtext", "") or report.outcome
            status = "failed" if report.failed else "skipped"
            message = shorten(text.strip().split("\n")[-1], 500)
            self._result = {"status": status, "type": "", "message": message}

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        name = _name(nodeid)
        seconds = _clock() - self._began
        about = {"name": name, "seconds": seconds, "token": self._tokens.get(name, "")}
        flush()
        _send(self._channel, {**self._result, **about})

    def allow_time(self) -> None:
        """No hook: a test's CPU time begins."""
        room = (self._seconds + 1) * (len(self._tokens) + 2)
        allow_cpu(self._seconds, spare=room)

    def describe(self, error: BaseException) -> str:
        """No hook: the error in words."""
        return describe(error, self._file, self._first_line)

    def end(self, ending: str, reason: str) -> NoReturn:
        """No hook: there is nothing to run."""
        flush()
        _send(self._channel, {"ending": ending, "reason": reason})
        _exit(1)


def _name(nodeid: str) -> str:
    return nodeid.partition("::")[2]


def _claim(item: Any, error: BaseException) -> str:
    """What an assertion says of itself, or else its line of the file of tests."""
    told = shorten(_text(error), 500)
    path = _path(item)
    return (
        told
        if told.strip()
        else shorten(linecache.getline(path, last_line_in(error, path)).strip())
    )


def _path(item: Any) -> str:
    return str(getattr(item, "path", None) or item.fspath)  # a suite's pytest may be an old one


def _place(item: Any, error: BaseException) -> str:
    """The line of the file of tests, as the last words."""
    path = _path(item)
    line = last_line_in(error, path)
    return f" ({os.path.splitext(os.path.basename(path))[0]}:{line})" if line else ""


def _is_disabled(item: Any) -> bool:
    """Whether the publisher has switched the test off, for good or for this Python."""
    if any(item.get_closest_marker(mark) for mark in _MARKS):
        return True
    owners = (getattr(item, "obj", None), getattr(item, "cls", None))
    return any(getattr(owner, flag, False) for owner in owners for flag in _FLAGS) or any(
        _holds(mark) for mark in item.iter_markers("skipif")
    )


def _holds(mark: Any) -> bool:
    """Whether a skipif applies; its conditions are values, or texts that only pytest evaluates."""
    return any(condition is True for condition in mark.args) or mark.kwargs.get("condition") is True


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""


def _write(folder: str, path: str, text: str) -> None:
    target = os.path.join(folder, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)
